// web/src/graph/boxes.ts
var Boxes = class {
  /** `cell`: about the size of a box. */
  constructor(cell) {
    this.cell = cell;
  }
  cells = /* @__PURE__ */ new Map();
  /** Takes the room if nothing is there yet. */
  take(box) {
    const keys = this.keysOf(box);
    for (const key of keys)
      for (const other of this.cells.get(key) ?? [])
        if (box.left < other.right && other.left < box.right && box.top < other.bottom && other.top < box.bottom)
          return false;
    this.put(box, keys);
    return true;
  }
  /** Takes it whatever is there. */
  add(box) {
    this.put(box, this.keysOf(box));
  }
  put(box, keys) {
    for (const key of keys) {
      const cell = this.cells.get(key);
      if (cell) cell.push(box);
      else this.cells.set(key, [box]);
    }
  }
  keysOf({ left, right, top, bottom }) {
    const keys = [];
    const index = (value) => Math.floor(value / this.cell);
    for (let x = index(left); x <= index(right); ++x)
      for (let y = index(top); y <= index(bottom); ++y) keys.push(`${x} ${y}`);
    return keys;
  }
};
export {
  Boxes
};
