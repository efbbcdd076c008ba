import { showError } from '@clearwell/ui/components/toast-store.ts'
import { ApiError } from '../../api/api-error.ts'

/** Shows the failure of a user's action in a dialog. One that comes from an exit says what still works. */
export function showFailure(error: Error): void {
  if (error instanceof ApiError && error.codeName === 'account_is_leaving')
    import('./show-leaving.ts').then(
      ({ showLeaving }) => showLeaving(error),
      () => showError(error),
    )
  else showError(error)
}
