import { Card } from '@clearwell/ui/components/card.tsx'
import { ProgressSteps } from '@clearwell/ui/components/progress-steps.tsx'
import { FAILED_CHECK, KEPT_CHECK } from '../src/features/proof/balance/balance.samples.ts'
import BalanceBanner from '../src/features/proof/balance/balance-banner.tsx'
import { BalanceOutcome } from '../src/features/proof/balance/balance-outcome.tsx'
import type { Outcome } from '../src/features/proof/balance/decide-outcome.ts'
import { HeaderFacts } from '../src/features/proof/balance/header-facts.tsx'
import { ProvenBalance } from '../src/features/proof/balance/proven-balance.tsx'
import type { CheckState } from '../src/features/proof/balance/run-check.ts'
import { stepsOf } from '../src/features/proof/balance/shown-steps.ts'
import { Points } from '../src/features/proof/check-note.tsx'
import { Example, Section, sample } from './section.tsx'

const OUTCOMES: readonly Outcome[] = [
  { kind: 'holds' },
  { kind: 'broken', fault: 'path' },
  { kind: 'unknown', reason: 'offline' },
  { kind: 'unknown', reason: 'nothing' },
]

const RUNNING = {
  status: 'running',
  owner: '',
  steps: [
    { name: 'leaves', state: 'right' },
    { name: 'path', state: 'wrong', fault: 'path', detail: '' },
  ],
} as const satisfies CheckState

/** The parts of the balance check in their states. */
export function Checks() {
  return (
    <Section title="Checks">
      <Example name="BalanceBanner">
        <BalanceBanner />
      </Example>
      <Example name="BalanceOutcome: running, holds, does not hold, could not check, nothing to check">
        <Card>
          <BalanceOutcome state={RUNNING} failure={FAILED_CHECK} kept={undefined} />
        </Card>
        {OUTCOMES.map((outcome) => (
          <Card key={JSON.stringify(outcome)}>
            <BalanceOutcome
              state={{ status: 'done', owner: '', steps: [], outcome }}
              failure={undefined}
              kept={KEPT_CHECK}
            />
          </Card>
        ))}
      </Example>
      <Example name="Steps of a check">
        <ProgressSteps label={sample('步驟', 'Steps')} steps={stepsOf(RUNNING)} />
      </Example>
      <Example name="ProvenBalance, with HeaderFacts">
        <ProvenBalance kept={KEPT_CHECK} />
      </Example>
      <Example name="HeaderFacts without a known signer">
        <HeaderFacts signed={KEPT_CHECK.signed} signer={undefined} />
      </Example>
      <Example name="Points">
        <Points title={sample('可以證明', 'It proves')} icon="check" points={[sample('一點', 'One point')]} />
      </Example>
    </Section>
  )
}
