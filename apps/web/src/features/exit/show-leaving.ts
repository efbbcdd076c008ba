import { showMessage } from '@clearwell/ui/components/toast-store.ts'
import { errorText } from '@clearwell/ui/i18n/error-text.ts'
import { currentLocale } from '@clearwell/ui/i18n/locale.ts'
import { pathInLocale } from '@clearwell/ui/i18n/locale-path.ts'
import { sentences } from '@clearwell/ui/i18n/sentences.ts'
import { queryClient } from '../../api/query-client.ts'
import { refusalData } from '../../api/refusal-data.ts'
import { m } from '../../generated/messages.ts'
import type { Exit } from './exit.queries.ts'
import { stateText } from './leaving-text.ts'

/**
 * Explains a command that was rejected because the account leaves: what still works, until when, and where to read more. One that
 * owes an advance has left, and is open again once that is given back.
 */
export function showLeaving(error: Error): void {
  const isOwing = refusalData(error, 'account_is_leaving')?.reason === 'advance_owed'
  const exit = queryClient.getQueryData<Exit>(['proofExit', {}])
  void queryClient.invalidateQueries({ queryKey: ['proofExit'] })
  showMessage({
    title: isOwing ? m.exit_owed() : errorText(error),
    text: sentences(m.ui_no_money_moved(), isOwing ? errorText(error) : textOf(exit)),
    link: { path: pathInLocale('/wallet/exit', currentLocale()), label: m.exit_banner_open() },
  })
}

function textOf(exit: Exit | undefined): string {
  return exit && exit.state !== 'none' ? stateText(exit) : m.exit_short_unknown()
}
