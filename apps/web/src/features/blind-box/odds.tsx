import { Section } from '@clearwell/ui/components/card.tsx'
import { formatPercent } from '@clearwell/ui/i18n/format.ts'
import { m } from '../../generated/messages.ts'
import type { BoxRules } from './blind-box.queries.ts'

/** The odds of the draw and the formula of power and reward, as the server has them now. */
export function Odds({ rules }: { rules: BoxRules }) {
  const { formula } = rules
  const isFlat = rules.rule === 'flat'
  return (
    <Section title={m.box_odds()}>
      {isFlat ? (
        <p className="text-muted">{rules.allows_draws ? m.box_odds_flat() : m.box_odds_none()}</p>
      ) : (
        <ul className="flex flex-col gap-2">
          {rules.odds.map(({ factor, chance }) => (
            <li key={factor} className="figures flex items-center gap-3">
              <span className="w-10 font-semibold">×{factor}</span>
              <span aria-hidden="true" className="h-2 flex-1 overflow-hidden rounded-full bg-input">
                <span className="block h-full rounded-full bg-accent" style={{ width: `${Number(chance) * 100}%` }} />
              </span>
              <span className="w-12 text-end">{formatPercent(chance)}</span>
            </li>
          ))}
        </ul>
      )}
      <dl className="mt-4 flex flex-col gap-3 text-secondary">
        <Line label={m.box_formula_power()}>
          {m.box_formula_power_text({
            days: formula.fee_days,
            base: formula.level_base,
            step: formula.level_step,
            start: formula.streak_base,
            grows: formula.streak_step,
            max: formula.streak_max,
          })}
        </Line>
        <Line label={m.box_formula_reward()}>{m.box_formula_reward_text({ n: formula.pool_parts })}</Line>
        <Line label={m.box_formula_claim()}>{m.box_formula_claim_text({ n: formula.claimable_days })}</Line>
      </dl>
    </Section>
  )
}

function Line({ label, children }: { label: string; children: string }) {
  return (
    <div>
      <dt className="text-muted">{label}</dt>
      <dd className="figures">{children}</dd>
    </div>
  )
}
