import { formatDateTime } from '@clearwell/ui/i18n/format-date.ts'
import { m } from '../../generated/messages.ts'
import { type NoticeText, words } from '../../manifest/words.ts'
import type { Notice } from './notice.queries.ts'

/** A moment in a notice. A date keeps to one line. */
function moment(at: string): string {
  return formatDateTime(at).replaceAll(' ', '\u00a0')
}

/** A notice in the words of the feature that sends it. */
export function noticeText({ kind, params, created_at }: Pick<Notice, 'kind' | 'params' | 'created_at'>): NoticeText {
  const time = moment('at' in params && params.at ? params.at : created_at)
  const { notices } = words()
  // A newer server may send kinds that this build does not know.
  if (!Object.hasOwn(notices, kind)) return { icon: 'bell', title: m.notice_other(), detail: time }
  // The params are those of the kind, which TypeScript does not follow through their unions.
  return notices[kind](params as never, time)
}
