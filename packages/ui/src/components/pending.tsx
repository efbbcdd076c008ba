import { createContext, type ReactNode, use } from 'react'
import { m } from '../generated/messages.ts'
import { ErrorState } from './error-state.tsx'

/** `bars`: within bars already. `screen`: the next `Screen` shows its content as bars. */
const PendingContext = createContext<'bars' | 'screen' | undefined>(undefined)

/** Returns whether a component shows a sample: then it draws and reports nothing of it. */
export function usePending(): boolean {
  return use(PendingContext) !== undefined
}

interface PendingProps {
  /** Says what is loading; one label for the whole place is enough. */
  readonly label?: string
  readonly children: ReactNode
}

/**
 * Says that something is loading, in the exact shape of what comes: `children` are the real components with a sample, whose
 * texts, amounts and badges theme.css turns into bars. Nothing in them can be read, focused or pressed. They stand in the
 * layout around them as if they were not wrapped.
 *
 * @example <Pending><LoanCard loan={LOAN} pool={USDT_POOL} onRepay={() => {}} /></Pending>
 */
export function Pending({ label = m.app_loading(), children }: PendingProps) {
  const isWithin = use(PendingContext) === 'bars'
  return (
    <>
      {!isWithin && (
        <span role="status" className="sr-only">
          {label}
        </span>
      )}
      <div data-pending="" inert aria-hidden="true" className="contents">
        <PendingContext value="bars">{children}</PendingContext>
      </div>
    </>
  )
}

/**
 * The same for a component that renders a `Screen`: the title is shown as it is and can have the focus; everything else of the
 * screen is bars.
 */
export function PendingScreen({ children }: { children: ReactNode }) {
  return <PendingContext value="screen">{children}</PendingContext>
}

/** The content of a `Screen`, as bars within `PendingScreen`. */
export function ScreenContent({ label, children }: Partial<PendingProps>) {
  if (use(PendingContext) !== 'screen' || !children) return children
  return <Pending {...(label === undefined ? {} : { label })}>{children}</Pending>
}

/** The part of a query's result that `Loaded` needs. */
interface Read<Data> {
  readonly data: Data | undefined
  readonly isError: boolean
  readonly error: unknown
  readonly refetch: () => unknown
}

/**
 * Shows what a query reads: its data by `children`; while it loads, the sample by the same, as bars; if it could not be read,
 * the error with a retry.
 *
 * @example <Loaded read={useRates(asset)} sample={RATES}>{(rates) => <RateChart rates={rates} />}</Loaded>
 */
export function Loaded<Data>({
  read: { data, isError, error, refetch },
  sample,
  children,
}: {
  read: Read<Data>
  sample: NoInfer<Data>
  children: (data: Data) => ReactNode
}) {
  if (data !== undefined) return children(data)
  if (isError) return <ErrorState error={error} onRetry={refetch} />
  return <Pending>{children(sample)}</Pending>
}
