// web/src/studio/settings.ts
var sameBounds = (a, b) => Object.keys({ ...a, ...b }).every((name) => a[name] === b[name]);
var History = class {
  constructor(present) {
    this.present = present;
  }
  past = [];
  future = [];
  get now() {
    return this.present;
  }
  get canUndo() {
    return this.past.length > 0;
  }
  get canRedo() {
    return this.future.length > 0;
  }
  commit(bounds) {
    if (sameBounds(bounds, this.present)) return;
    this.past.push(this.present);
    if (this.past.length > 500) this.past.shift();
    this.present = { ...bounds };
    this.future = [];
  }
  undo() {
    const before = this.past.pop();
    if (before) {
      this.future.push(this.present);
      this.present = before;
    }
    return this.present;
  }
  redo() {
    const after = this.future.pop();
    if (after) {
      this.past.push(this.present);
      this.present = after;
    }
    return this.present;
  }
};
function toHash(model, bounds) {
  const parameters = new URLSearchParams();
  parameters.set("model", model);
  for (const [name, bound] of Object.entries(bounds))
    parameters.set(`bound:${name}`, bound === null ? "inf" : String(bound));
  return `#${parameters}`;
}
function fromHash(hash) {
  const parameters = new URLSearchParams(hash.replace(/^#/, ""));
  const bounds = {};
  for (const [key, value] of parameters) {
    if (!key.startsWith("bound:")) continue;
    const number = Number(value);
    if (value === "inf") bounds[key.slice(6)] = null;
    else if (value !== "" && number >= 0 && Number.isFinite(number)) bounds[key.slice(6)] = number;
  }
  return { model: parameters.get("model") ?? void 0, bounds };
}
export {
  History,
  fromHash,
  sameBounds,
  toHash
};
