import { sentences } from '@clearwell/ui/i18n/sentences.ts'
import type { WordsOf } from '../../account/lost-command/command-words.ts'
import { m } from '../../generated/messages.ts'
import { explain } from './box-problem.tsx'
import { amountsText, someAmounts } from './box-text.ts'

/** The words of a click and a claim, apart from their screens. */
export default {
  clickBox: {
    asked: m.box_asked_click,
    done: m.box_clicked,
    refused: explain,
    link: () => ({ to: '/{-$locale}/node/blindBox', label: m.box_see() }),
  },
  claimBoxes: {
    asked: ({ payload: { box_ids } }) =>
      box_ids?.length ? m.box_asked_claim({ n: box_ids.length }) : m.box_asked_claim_all(),
    done: ({ amount }) => sentences(`+${amountsText(someAmounts(amount))}`, m.box_outcome_claimed()),
    refused: explain,
    link: () => ({ to: '/{-$locale}/wallet/logs', label: m.box_to_log() }),
  },
} satisfies WordsOf<'clickBox' | 'claimBoxes'>
