// A front of two costs: a line from vertex to vertex.
import { figure, frame, padded, path } from '../charts/frame';
import { svg } from '../dom';
import type { Picture } from './front';
import { vertices } from './vertex';

export function plane(picture: Picture): HTMLElement {
  const { front, names } = picture;
  const [a, b] = front.costs;
  const points = front.vertices.map(({ costs }): [number, number] => [costs[a], costs[b]]);
  const range = (i: 0 | 1) => {
    const all = points.map((point) => point[i]);
    return padded([Math.min(...all), Math.max(...all)]);
  };
  const chart = frame({
    label: `The trade-off between ${names[a]} and ${names[b]}`,
    x: range(0),
    y: range(1),
    xTitle: names[a],
    yTitle: names[b],
  });
  chart.plot.append(svg('path', { class: 'line dual', d: path(points, chart) }));
  vertices(picture).forEach((mark, i) => {
    mark.setAttribute('cx', String(chart.x(points[i][0])));
    mark.setAttribute('cy', String(chart.y(points[i][1])));
    chart.overlay.append(mark);
  });
  return figure(chart.root, 'The slope is the rate at which one cost buys the other.', [
    ['dual', 'the front'],
    ['corner', 'vertex'],
  ]);
}
