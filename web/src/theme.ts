// Dark or light: as the system says, until the reader chooses; on paper always light. What draws on
// a canvas asks for the colours of the moment and is told when they change.
import { h } from './dom';

type Theme = 'dark' | 'light';

const system = matchMedia('(prefers-color-scheme: dark)');
const listeners: (() => void)[] = [];

export function color(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

/** Returns what ends it. */
export function onThemeChange(listener: () => void): () => void {
  listeners.push(listener);
  return () => void listeners.splice(listeners.indexOf(listener), 1);
}

export function themeButton(): HTMLElement {
  const button = h('button', { class: 'quiet', type: 'button', id: 'theme' });
  let chosen: Theme | undefined;
  const current = (): Theme => chosen ?? (system.matches ? 'dark' : 'light');
  const use = (theme: Theme) => {
    document.documentElement.dataset.theme = theme;
    button.textContent = theme === 'dark' ? '☀ Light' : '☾ Dark';
    button.setAttribute('aria-label', `Use ${theme === 'dark' ? 'light' : 'dark'} colours`);
    for (const listener of listeners) listener();
  };
  button.addEventListener('click', () => {
    chosen = current() === 'dark' ? 'light' : 'dark';
    use(chosen);
  });
  system.addEventListener('change', () => use(current()));
  addEventListener('beforeprint', () => use('light'));
  addEventListener('afterprint', () => use(current()));
  use(current());
  return button;
}
