import { createElement, type ReactElement, type ReactNode } from 'react'
import type { FormulaName } from './formula-names.ts'

/** A formula as MathML, with a spoken text for screen readers. */
export function Formula({ name, spoken, note }: { name: FormulaName; spoken: string; note?: ReactNode }) {
  return (
    <figure className="flex flex-col gap-2 rounded-card border border-line bg-surface px-3 py-4">
      <div
        role="img"
        aria-label={spoken}
        className="flex flex-col items-center gap-3 text-center font-normal narrow:text-section narrow:font-normal"
      >
        {FORMULAS[name].map((line, i) => (
          <div key={i} aria-hidden="true" className="max-w-full">
            {createElement('math', { display: 'block' }, line)}
          </div>
        ))}
      </div>
      {note && <figcaption className="text-center text-label text-muted">{note}</figcaption>}
    </figure>
  )
}

type Term = ReactElement

const FORMULAS: Readonly<Record<FormulaName, readonly Term[]>> = {
  swap_out: [row(id('Δy'), op('='), floor(over(row(net(), op('·'), id('y')), row(id('x'), op('+'), net()))))],
  swap_revenue: [row(id('r'), op('='), floor(row(id('Δx'), op('·'), id('ρ'))))],
  swap_minimum: [
    row(sub(id('Δy'), word('min')), op('='), ceil(row(id('Δy'), op('·'), brackets(num('1'), op('−'), id('s'))))),
  ],
  swap_impact: [
    row(id('i'), op('='), num('1'), op('−'), over(row(id('Δy'), op('·'), id('x')), row(net(), op('·'), id('y')))),
  ],
  utilisation: [row(id('U'), op('='), over(id('B'), row(id('C'), op('+'), id('B'))))],
  borrow_rate: [
    row(id('R'), op('='), sub(id('R'), id('k')), op('·'), over(id('U'), id('k')), gap(), id('U'), op('≤'), id('k')),
    row(
      id('R'),
      op('='),
      sub(id('R'), id('k')),
      op('+'),
      brackets(sub(id('R'), num('1')), op('−'), sub(id('R'), id('k'))),
      over(row(id('U'), op('−'), id('k')), row(num('1'), op('−'), id('k'))),
      gap(),
      id('U'),
      op('>'),
      id('k'),
    ),
  ],
  interest: [
    row(id('D'), op('='), ceil(row(id('s'), op('·'), id('J')))),
    row(
      sub(id('J'), id('t')),
      op('='),
      sub(id('J'), num('0')),
      op('·'),
      sup(id('e'), row(id('R'), op('·'), id('t'), op('/'), num('31,536,000'))),
    ),
  ],
  ltv: [row(word('LTV'), op('='), over(id('D'), row(id('K'), op('·'), id('p'))))],
  liquidation: [
    row(
      sub(id('K'), id('L')),
      op('='),
      word('min'),
      brackets(over(row(id('f'), op('·'), id('a')), id('p')), op(','), over(row(id('K'), op('·'), id('a')), id('D'))),
    ),
  ],
  liquidation_short: [
    row(sub(id('a'), id('L')), op('='), over(row(sub(id('K'), id('L')), op('·'), id('p')), sub(id('f'), num('0')))),
  ],
  box_power: [
    row(id('w'), op('='), floor(row(id('F'), op('·'), id('a'), op('·'), id('f'), op('·'), id('g')))),
    row(id('a'), op('='), num('1'), op('+'), id('λ'), id('L')),
    row(id('f'), op('='), word('min'), brackets(id('m'), op(','), num('1'), op('+'), id('δ'), id('d'))),
  ],
  box_draw: [row(id('h'), op('='), word('HMAC-SHA256')), row(brackets(id('s'), op(','), id('b'), op('∥'), id('n')))],
  box_reward: [
    row(
      id('q'),
      op('='),
      floor(row(over(row(word('min'), brackets(id('Q'), op(','), id('C'))), id('k')), op('·'), over(id('w'), id('W')))),
    ),
  ],
  star_deposit: [
    row(
      sub(id('D'), id('n')),
      op('='),
      sub(id('D'), num('1')),
      op('·'),
      sup(num('2'), row(id('n'), op('−'), num('1'))),
    ),
  ],
  star_release: [
    row(
      id('e'),
      op('='),
      id('v'),
      op('·'),
      word('min'),
      brackets(id('m'), op(','), over(row(id('ρ'), op('·'), id('T')), id('V'))),
    ),
    row(id('v'), op('='), sup(num('2'), row(id('n'), op('−'), num('1')))),
  ],
  ledger_zero: [row(op('∑'), sub(id('p'), id('a')), op('='), num('0'))],
  ledger_vault: [row(sub(id('V'), id('a')), op('='), op('∑'), sub(id('b'), id('a')))],
}

/** The sold amount after the whole fee. */
function net(): Term {
  return row(id('Δx'), brackets(num('1'), op('−'), id('φ')))
}

function row(...terms: Term[]): Term {
  return createElement('mrow', null, ...terms)
}

function id(name: string): Term {
  return createElement('mi', null, name)
}

function word(text: string): Term {
  return createElement('mi', { mathvariant: 'normal' }, text)
}

function num(digits: string): Term {
  return createElement('mn', null, digits)
}

function op(sign: string): Term {
  return createElement('mo', { stretchy: 'false' }, sign)
}

function gap(): Term {
  return createElement('mspace', { width: '0.8em' })
}

function over(top: Term, bottom: Term): Term {
  return createElement('mfrac', null, top, bottom)
}

function sub(base: Term, index: Term): Term {
  return createElement('msub', null, base, index)
}

function sup(base: Term, power: Term): Term {
  return createElement('msup', null, base, power)
}

function brackets(...terms: Term[]): Term {
  return row(op('('), ...terms, op(')'))
}

function floor(term: Term): Term {
  return row(op('⌊'), term, op('⌋'))
}

function ceil(term: Term): Term {
  return row(op('⌈'), term, op('⌉'))
}
