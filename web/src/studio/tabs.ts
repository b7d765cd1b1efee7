// A row of tabs, as the ARIA authoring practices have them.
import { h } from '../dom';

export class Tabs {
  readonly element: HTMLElement;
  private readonly buttons: HTMLButtonElement[];
  private readonly panels: HTMLElement[];

  constructor(private readonly items: [id: string, text: string, content: HTMLElement][]) {
    this.buttons = items.map(([id, text], i) =>
      h('button', { type: 'button', role: 'tab', id: `tab-${id}`, 'aria-controls': `panel-${id}`, onclick: () => this.choose(i) }, text),
    );
    this.panels = items.map(([id, , content]) =>
      h('div', { role: 'tabpanel', id: `panel-${id}`, 'aria-labelledby': `tab-${id}` }, content),
    );
    const list = h('div', { role: 'tablist', class: 'tabs', 'aria-label': 'What to look at' }, ...this.buttons);
    list.addEventListener('keydown', (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (step === undefined) return;
      const at = this.buttons.findIndex((button) => button.getAttribute('aria-selected') === 'true');
      this.choose((at + step + items.length) % items.length, true);
      event.preventDefault();
    });
    this.element = h('div', { class: 'tabbed' }, list, ...this.panels);
    this.choose(0);
  }

  show(id: string): void {
    this.choose(this.items.findIndex(([name]) => name === id));
  }

  /** A dot on the tab: there is something to see. */
  mark(id: string, on: boolean): void {
    this.buttons[this.items.findIndex(([name]) => name === id)].classList.toggle('marked', on);
  }

  private choose(index: number, focus = false): void {
    this.buttons.forEach((button, i) => {
      button.setAttribute('aria-selected', String(i === index));
      button.tabIndex = i === index ? 0 : -1;
      this.panels[i].hidden = i !== index;
    });
    if (focus) this.buttons[index].focus();
  }
}
