// web/src/charts/labels.ts
function spreadLabels(wanted, gap) {
  const order = wanted.map((_, i) => i).sort((a, b) => wanted[a] - wanted[b] || a - b);
  const blocks = [];
  const first = ({ members, sum }) => sum / members.length - (members.length - 1) * gap / 2;
  for (const i of order) {
    let block = { members: [i], sum: wanted[i] };
    for (let last = blocks.at(-1); last; last = blocks.at(-1)) {
      if (first(last) + last.members.length * gap <= first(block)) break;
      blocks.pop();
      block = { members: [...last.members, ...block.members], sum: last.sum + block.sum };
    }
    blocks.push(block);
  }
  const result = [];
  for (const block of blocks) block.members.forEach((i, k) => result[i] = first(block) + k * gap);
  return result;
}
export {
  spreadLabels
};
