// Places for the states of a policy that takes the place of another: those that were there keep
// theirs, and new ones go into the column of their distance from the start, as near to their
// neighbours as there is room. So a reader who looks at one state does not lose it.
import { layout, type LayoutInput, type Place } from './layout';

export type KeptPlaces = Map<string, Place>;

const columnGap = 128;
const rowGap = 26;
const leastKnown = 0.4; // share of the states; with fewer the picture is made anew

/** The free place in a column that is nearest to the one wanted. */
function freePlace(taken: { y: number; radius: number }[], wanted: number, radius: number): number {
  const clash = (y: number) =>
    taken.find((other) => Math.abs(other.y - y) < other.radius + radius + rowGap - 1e-6);
  let [up, down] = [wanted, wanted];
  for (let step = 0; step <= 2 * taken.length + 2; ++step) {
    const above = clash(up);
    if (!above) break;
    up = above.y - above.radius - radius - rowGap;
  }
  for (let step = 0; step <= 2 * taken.length + 2; ++step) {
    const below = clash(down);
    if (!below) break;
    down = below.y + below.radius + radius + rowGap;
  }
  return wanted - up <= down - wanted ? up : down;
}

function placeNew(
  places: (Place | undefined)[],
  { depth, radius, edges }: LayoutInput,
): Place[] {
  const column = new Map<number, number>(); // depth -> x
  let [lastDepth, lastX] = [0, 0];
  depth.forEach((d, i) => {
    const place = places[i];
    if (!place) return;
    if (!column.has(d)) column.set(d, place.x);
    if (place.x > lastX) [lastDepth, lastX] = [d, place.x];
  });
  const neighbours: number[][] = depth.map(() => []);
  for (const { from, to } of edges)
    if (from !== to) {
      neighbours[from].push(to);
      neighbours[to].push(from);
    }
  const order = depth.map((_, i) => i).filter((i) => !places[i]);
  order.sort((a, b) => depth[a] - depth[b] || a - b);
  for (const i of order) {
    const x = column.get(depth[i]) ?? lastX + columnGap * Math.max(1, depth[i] - lastDepth);
    column.set(depth[i], x);
    const near = neighbours[i].flatMap((k) => (places[k] ? [places[k]!.y] : []));
    const wanted = near.length ? near.reduce((sum, y) => sum + y, 0) / near.length : 0;
    const taken = places.flatMap((place, k) =>
      place && Math.abs(place.x - x) < columnGap / 3 ? [{ y: place.y, radius: radius[k] }] : [],
    );
    places[i] = { x, y: freePlace(taken, wanted, radius[i]), room: 0 };
  }
  return places as Place[];
}

/** How much room there is below each state for a label. */
function measureRoom(places: Place[], radius: number[]): void {
  const order = places.map((_, i) => i).sort((a, b) => places[a].x - places[b].x || places[a].y - places[b].y);
  order.forEach((i, k) => {
    const next = order[k + 1];
    places[i].room =
      next === undefined || places[next].x !== places[i].x
        ? Infinity
        : places[next].y - places[i].y - radius[i] - radius[next];
  });
}

/** `fresh` if the picture was made anew. What is known of places is brought up to date. */
export function stableLayout(
  names: string[],
  input: LayoutInput,
  kept: KeptPlaces,
  keep: boolean,
): { places: Place[]; fresh: boolean } {
  const known = names.map((name) => kept.get(name));
  const share = known.filter(Boolean).length / Math.max(1, names.length);
  const fresh = !keep || share < leastKnown;
  if (fresh) kept.clear();
  const places = fresh
    ? layout(input)
    : placeNew(
        known.map((place) => place && { ...place }),
        input,
      );
  if (!fresh) measureRoom(places, input.radius);
  names.forEach((name, i) => kept.set(name, places[i]));
  return { places, fresh };
}
