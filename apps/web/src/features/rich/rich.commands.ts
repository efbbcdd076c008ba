import type { CommandWords, WordsOf } from '../../account/lost-command/command-words.ts'
import { m } from '../../generated/messages.ts'
import type { RichOverview } from './rich.queries.ts'
import { refusedText } from './rich-refusal.ts'
import { progressWords, returnWords, rtWords, waitingWords } from './rich-words.ts'

declare module '../../api/command-facts.ts' {
  interface CommandFacts {
    readonly approveUpgrade: { readonly name: string; readonly star: number }
    readonly collectRt: { readonly amount: string }
    readonly takeBackRt: { readonly amount: string }
  }
}

const common = {
  refused: refusedText,
  link: () => ({ to: '/{-$locale}/rich', label: m.rich_to_hub() }),
} satisfies Partial<CommandWords<'linkUid'>>
const balanceText = ({ wallet_balance }: RichOverview) => m.rich_collected_text({ amount: rtWords(wallet_balance) })

/** The words of commands of the upgrade hub, apart from their sheets. */
export default {
  linkUid: {
    ...common,
    asked: ({ payload: { uid } }) => m.rich_asked_link({ uid }),
    done: (_hub, { payload: { uid } }) => m.rich_linked_text({ uid }),
  },
  renameUid: {
    ...common,
    asked: ({ payload: { name } }) => m.rich_asked_rename({ name }),
    done: m.rich_renamed_text,
  },
  depositRt: {
    ...common,
    asked: ({ payload: { amount } }) => m.rich_asked_deposit({ amount: rtWords(amount) }),
    done: progressWords,
  },
  collectRt: {
    ...common,
    asked: ({ facts: { amount } }) => m.rich_asked_collect({ amount: rtWords(amount) }),
    done: balanceText,
  },
  takeBackRt: {
    ...common,
    asked: ({ facts: { amount } }) => m.rich_asked_take_back({ amount: rtWords(amount) }),
    done: balanceText,
  },
  stepDown: {
    ...common,
    asked: m.rich_step_down_title,
    done: ({ step_down }) => (step_down ? returnWords(step_down) : m.rich_notice_given()),
  },
  requestUpgrade: {
    ...common,
    asked: m.rich_request_title,
    done: (request) => (request.status === 'Passed' ? m.rich_passed_text() : waitingWords(request)),
  },
  approveUpgrade: {
    ...common,
    asked: ({ facts: { name } }) => m.rich_asked_approve({ name }),
    done: (_request, { facts: { name, star } }) => m.rich_approved_text({ name, n: String(star) }),
  },
} satisfies WordsOf<
  'linkUid' | 'renameUid' | 'depositRt' | 'collectRt' | 'takeBackRt' | 'stepDown' | 'requestUpgrade' | 'approveUpgrade'
>
