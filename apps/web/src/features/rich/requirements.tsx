import { cx } from '@clearwell/ui/browser/cx.ts'
import { AmountText } from '@clearwell/ui/components/amount-text.tsx'
import { Section } from '@clearwell/ui/components/card.tsx'
import { Loaded } from '@clearwell/ui/components/pending.tsx'
import { formatAmount, formatPercent, formatUsdt } from '@clearwell/ui/i18n/format.ts'
import type { ReactNode } from 'react'
import { m } from '../../generated/messages.ts'
import { type RichProgram, useRichProgram, useRtPool } from './rich.queries.ts'
import { PROGRAM } from './rich.samples.ts'
import { rtWords } from './rich-words.ts'
import { StarShape } from './star-ladder.tsx'
import { fallingExample, partOfAll, releaseOn } from './star-terms.ts'

/** The deposit that each star needs and the share that it gives, by the programme's terms of this moment. */
export function Requirements({ star }: { star: number }) {
  return (
    <Section title={m.rich_requirements()}>
      <Loaded read={useRichProgram()} sample={PROGRAM}>
        {(program) => <Terms program={program} star={star} />}
      </Loaded>
    </Section>
  )
}

function Terms({ program, star: own }: { program: RichProgram; star: number }) {
  const { stars, release_rate, remaining, max_per_weight, shared_above_deposits: above } = program
  const example = fallingExample(program, own)
  const pool = useRtPool()
  const terms = { rate: formatPercent(release_rate), amount: rtWords(remaining), most: rtWords(max_per_weight) }
  return (
    <div className="flex flex-col gap-3">
      <table className="w-full border-collapse max-magnified:block">
        <caption className="sr-only">{m.rich_requirements()}</caption>
        <thead className="max-magnified:sr-only">
          <tr className="text-label text-muted">
            <Column isFirst>{m.rich_column_star()}</Column>
            <Column>{m.rich_column_required()}</Column>
            <Column>{m.rich_column_weight()}</Column>
            <Column>{m.rich_column_share()}</Column>
            <Column>{m.rich_column_part()}</Column>
          </tr>
        </thead>
        <tbody className="max-magnified:block">
          {stars.map(({ star, required, weight }) => (
            <tr
              key={star}
              aria-current={star === own ? true : undefined}
              // At 200 % each star is a block of named figures.
              className={cx(
                'border-t border-line max-magnified:grid max-magnified:grid-cols-2 max-magnified:gap-y-1 max-magnified:py-2',
                star === own && 'bg-input font-semibold',
              )}
            >
              <th
                scope="row"
                className="h-11 rounded-s-chip ps-2 text-start align-middle font-[inherit] max-magnified:col-span-2 max-magnified:h-auto"
              >
                <span className="flex items-center gap-2">
                  <StarShape filled={star <= own ? 1 : 0} className="size-5 shrink-0" />
                  <span className="figures">{star}</span>
                  {star === own && <span className="sr-only">{m.rich_column_yours()}</span>}
                </span>
              </th>
              <Cell label={m.rich_column_required()}>
                <AmountText isPublic amount={required} />
              </Cell>
              <Cell label={m.rich_column_weight()}>×{weight}</Cell>
              <Cell label={m.rich_column_share()}>
                <AmountText isPublic amount={releaseOn(star, program, own)} />
              </Cell>
              <Cell label={m.rich_column_part()}>{formatPercent(partOfAll(star, program, own))}</Cell>
            </tr>
          ))}
        </tbody>
      </table>
      <ul className="flex list-disc flex-col gap-1 ps-4 text-secondary text-muted marker:text-muted">
        <li>{m.rich_terms_share(terms)}</li>
        <li>{m.rich_terms_shared({ above: rtWords(above) })}</li>
        {example && (
          <li>
            {m.rich_terms_falling({
              times: formatAmount(String(example.times)),
              now: rtWords(example.now),
              later: rtWords(example.later),
            })}
          </li>
        )}
        {pool && <li>{m.rich_terms_pool({ amount: formatUsdt(pool.reserve_quote) })}</li>}
        <li>{m.rich_terms_days()}</li>
        <li>{m.rich_terms_estimate()}</li>
        <li>{m.rich_terms_approval({ hours: program.approval_hours })}</li>
        <li>{m.rich_terms_back()}</li>
        <li>{m.rich_terms_notice({ days: program.notice_days })}</li>
      </ul>
    </div>
  )
}

/** A figure of a star; at 200 % under the name of its column. */
function Cell({ label, children }: { label: string; children: ReactNode }) {
  return (
    <td className="figures ps-2 text-end last:rounded-e-chip last:pe-2 max-magnified:text-start">
      <span aria-hidden="true" className="hidden text-label font-normal text-muted max-magnified:block">
        {label}
      </span>
      {children}
    </td>
  )
}

function Column({ isFirst = false, children }: { isFirst?: boolean; children: string }) {
  return (
    <th scope="col" className={cx('ps-2 pb-2 align-bottom font-normal', isFirst ? 'text-start' : 'text-end last:pe-2')}>
      {children}
    </th>
  )
}
