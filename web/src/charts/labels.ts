// Labels of lines that end close to each other.

/** Positions as near as may be to those wanted, at least `gap` apart; in the order given. */
export function spreadLabels(wanted: number[], gap: number): number[] {
  const order = wanted.map((_, i) => i).sort((a, b) => wanted[a] - wanted[b] || a - b);
  // Neighbours that would overlap become one block around the mean of what they want.
  const blocks: { members: number[]; sum: number }[] = [];
  const first = ({ members, sum }: { members: number[]; sum: number }) =>
    sum / members.length - ((members.length - 1) * gap) / 2;
  for (const i of order) {
    let block = { members: [i], sum: wanted[i] };
    for (let last = blocks.at(-1); last; last = blocks.at(-1)) {
      if (first(last) + last.members.length * gap <= first(block)) break;
      blocks.pop();
      block = { members: [...last.members, ...block.members], sum: last.sum + block.sum };
    }
    blocks.push(block);
  }
  const result: number[] = [];
  for (const block of blocks) block.members.forEach((i, k) => (result[i] = first(block) + k * gap));
  return result;
}
