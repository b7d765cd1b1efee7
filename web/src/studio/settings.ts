// The bounds that the reader has chosen, with what came before and after, and their place in the
// address, so that a reload or a bookmark leads back to them.

export type Bounds = Record<string, number | null>; // by cost; null: lifted

export const sameBounds = (a: Bounds, b: Bounds): boolean =>
  Object.keys({ ...a, ...b }).every((name) => a[name] === b[name]);

export class History {
  private past: Bounds[] = [];
  private future: Bounds[] = [];
  constructor(private present: Bounds) {}

  get now(): Bounds {
    return this.present;
  }
  get canUndo(): boolean {
    return this.past.length > 0;
  }
  get canRedo(): boolean {
    return this.future.length > 0;
  }
  commit(bounds: Bounds): void {
    if (sameBounds(bounds, this.present)) return;
    this.past.push(this.present);
    if (this.past.length > 500) this.past.shift();
    this.present = { ...bounds };
    this.future = [];
  }
  undo(): Bounds {
    const before = this.past.pop();
    if (before) {
      this.future.push(this.present);
      this.present = before;
    }
    return this.present;
  }
  redo(): Bounds {
    const after = this.future.pop();
    if (after) {
      this.past.push(this.present);
      this.present = after;
    }
    return this.present;
  }
}

/** "#model=m1&battery=30&risk=inf" */
export function toHash(model: string, bounds: Bounds): string {
  const parameters = new URLSearchParams();
  parameters.set('model', model);
  for (const [name, bound] of Object.entries(bounds))
    parameters.set(`bound:${name}`, bound === null ? 'inf' : String(bound));
  return `#${parameters}`;
}

export function fromHash(hash: string): { model?: string; bounds: Bounds } {
  const parameters = new URLSearchParams(hash.replace(/^#/, ''));
  const bounds: Bounds = {};
  for (const [key, value] of parameters) {
    if (!key.startsWith('bound:')) continue;
    const number = Number(value);
    if (value === 'inf') bounds[key.slice(6)] = null;
    else if (value !== '' && number >= 0 && Number.isFinite(number)) bounds[key.slice(6)] = number;
  }
  return { model: parameters.get('model') ?? undefined, bounds };
}
