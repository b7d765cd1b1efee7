// Which room of a picture is taken: boxes in a grid of cells, so that asking costs little however
// many there are.

export interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

export class Boxes {
  private readonly cells = new Map<string, Box[]>();

  /** `cell`: about the size of a box. */
  constructor(private readonly cell: number) {}

  /** Takes the room if nothing is there yet. */
  take(box: Box): boolean {
    const keys = this.keysOf(box);
    for (const key of keys)
      for (const other of this.cells.get(key) ?? [])
        if (
          box.left < other.right &&
          other.left < box.right &&
          box.top < other.bottom &&
          other.top < box.bottom
        )
          return false;
    this.put(box, keys);
    return true;
  }

  /** Takes it whatever is there. */
  add(box: Box): void {
    this.put(box, this.keysOf(box));
  }

  private put(box: Box, keys: string[]): void {
    for (const key of keys) {
      const cell = this.cells.get(key);
      if (cell) cell.push(box);
      else this.cells.set(key, [box]);
    }
  }

  private keysOf({ left, right, top, bottom }: Box): string[] {
    const keys: string[] = [];
    const index = (value: number) => Math.floor(value / this.cell);
    for (let x = index(left); x <= index(right); ++x)
      for (let y = index(top); y <= index(bottom); ++y) keys.push(`${x} ${y}`);
    return keys;
  }
}
