// The page: one section after the other, each shown if there is something to show.
import { convergence } from './charts/convergence';
import { dualFunction } from './charts/dual_function';
import { tradeOff } from './charts/trade_off';
import { readReport, type Report } from './data';
import { h } from './dom';
import { effort } from './effort';
import { frontSection } from './front/front';
import { policySection } from './graph/section';
import { mixture } from './mixture';
import { headline, summary } from './summary';
import { themeButton } from './theme';

const parts = [
  headline,
  summary,
  policySection,
  mixture,
  tradeOff,
  frontSection,
  dualFunction,
  convergence,
  effort,
];

/** A result file that somebody has edited must not keep the rest from being seen. */
function guarded(part: (report: Report) => HTMLElement | null, report: Report): Node | null {
  try {
    return part(report);
  } catch (error) {
    const text = `This part of the report cannot be shown: ${(error as Error).message}`;
    return h('section', { class: 'broken', role: 'alert' }, text);
  }
}

function show(report: Report): void {
  const { title } = report;
  document.title = `${title} – carl report`;
  const buttons = h(
    'div',
    { class: 'buttons' },
    themeButton(),
    h('button', { class: 'quiet', type: 'button', onclick: () => print() }, 'Print'),
  );
  document.body.append(
    h(
      'header',
      {},
      h(
        'div',
        { class: 'brand' },
        h('span', { class: 'mark', 'aria-hidden': 'true' }, 'λ'),
        'carl',
      ),
      h('div', { class: 'problem', title: report.title }, title),
      buttons,
    ),
  );
  const main = h('main');
  document.body.append(main);
  for (const part of parts) main.append(guarded(part, report) ?? '');
  document.body.append(
    h(
      'footer',
      {},
      `${report.generator} · ${report.title} · this page loads nothing from anywhere`,
    ),
  );
}

show(readReport());
