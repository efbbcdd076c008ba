import { Button } from '@clearwell/ui/components/button.tsx'
import { showToast } from '@clearwell/ui/components/toast-store.ts'
import { refreshPersonalData } from '../../api/query-client.ts'
import { useCommand } from '../../api/use-command.ts'
import { m } from '../../generated/messages.ts'

/** Cancels a transfer out while it has no voucher: its amount returns immediately. */
export function CancelTransferOut({ orderId }: { orderId: string }) {
  const cancel = useCommand('cancelSell')
  const onClick = () =>
    cancel.mutate(
      { order_id: orderId },
      {
        onSuccess: () => showToast(m.wallet_out_cancelled()),
        onSettled: () => void refreshPersonalData(),
      },
    )
  return (
    <Button look="quiet" busy={cancel.isPending} onClick={onClick}>
      {m.wallet_out_cancel()}
    </Button>
  )
}
