// Dark or light: as the system says, until the reader chooses. What draws on a canvas asks for the
// colours of the moment and is told when they change.
import { h } from './dom';

const dark = matchMedia('(prefers-color-scheme: dark)');
const listeners: (() => void)[] = [];

export function color(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

export function onThemeChange(listener: () => void): void {
  listeners.push(listener);
}

function isDark(): boolean {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === 'dark' : dark.matches;
}

export function themeButton(): HTMLElement {
  const button = h('button', { class: 'quiet', type: 'button', id: 'theme' });
  const refresh = () => {
    button.textContent = isDark() ? '☀ Light' : '☾ Dark';
    button.setAttribute('aria-label', isDark() ? 'Use light colours' : 'Use dark colours');
    for (const listener of listeners) listener();
  };
  button.addEventListener('click', () => {
    document.documentElement.dataset.theme = isDark() ? 'light' : 'dark';
    refresh();
  });
  dark.addEventListener('change', refresh);
  // Paper is white.
  let before: string | undefined;
  addEventListener('beforeprint', () => {
    before = document.documentElement.dataset.theme;
    document.documentElement.dataset.theme = 'light';
    refresh();
  });
  addEventListener('afterprint', () => {
    if (before) document.documentElement.dataset.theme = before;
    else delete document.documentElement.dataset.theme;
    refresh();
  });
  refresh();
  return button;
}
