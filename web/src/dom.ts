// Elements in one expression. Texts only ever become text nodes, so that a name from a model can
// be anything without being markup.

export type Child = Node | string | number | null | undefined | false;
type Attributes = Record<string, unknown>;

function fill<E extends Element>(element: E, attributes: Attributes, children: Child[]): E {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === 'function')
      element.addEventListener(key.replace(/^on/, ''), value as EventListener);
    else element.setAttribute(key, value === true ? '' : String(value));
  }
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
  return element;
}

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  return fill(document.createElement(tag), attributes, children);
}

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

/** A section of the page with its heading. */
export function section(id: string, title: string, lead: Child, ...children: Child[]): HTMLElement {
  return h(
    'section',
    { id, 'aria-labelledby': `${id}-title` },
    h('h2', { id: `${id}-title` }, title),
    lead ? h('p', { class: 'lead' }, lead) : null,
    ...children,
  );
}

/** Phones have no keys to explain, nor a pointer that could hover. */
export function hasKeyboard(): boolean {
  return !matchMedia('(hover: none) and (pointer: coarse)').matches;
}
