import { cx } from '@clearwell/ui/browser/cx.ts'
import { useIconBody } from '@clearwell/ui/icons/icon.tsx'
import { useConfig } from '../api/config.ts'

/**
 * The mark of an asset, 36 px unless `className` says otherwise, with the network as a pip for a token on a chain. It
 * decorates: the asset's name is beside it. Until the mark is here, and for an asset without one, it shows a letter.
 */
export function TokenMark({ asset, className }: { asset: string; className?: string }) {
  const config = useConfig()
  const isToken = config?.assets.some((each) => each.asset === asset && each.address !== null)
  const native = isToken ? config?.chain.native.symbol : undefined
  return (
    <span aria-hidden="true" className={cx('token-mark relative inline-flex shrink-0', className ?? 'size-9')}>
      <Disc asset={asset} className={native && 'token-with-pip'} />
      {native && (
        <span className="absolute -end-1 -bottom-1 flex size-4">
          {/* The testnet's coin shows the mark of BNB. */}
          <Disc asset={native.replace(/^t(?=BNB$)/, '')} />
        </span>
      )}
    </span>
  )
}

function Disc({ asset, className }: { asset: string; className?: string | undefined }) {
  const { body } = useIconBody(`token:${asset.toLowerCase()}`)
  if (body === undefined)
    return (
      // The letter is drawn, not text: a button with a mark is named by the text beside it.
      <span
        data-letter={asset.slice(0, 1)}
        className={cx(
          'flex size-full items-center justify-center rounded-full bg-line text-label font-semibold text-muted',
          'before:content-[attr(data-letter)]',
          className,
        )}
      />
    )
  return (
    // From our own service and let through only as shapes; never from a user.
    <svg viewBox="0 0 32 32" className={cx('size-full', className)} dangerouslySetInnerHTML={{ __html: body }} />
  )
}
