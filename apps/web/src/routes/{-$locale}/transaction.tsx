import { createFileRoute } from '@tanstack/react-router'
import { TransactionsScreen } from '../../features/history/transactions-screen.tsx'

export const Route = createFileRoute('/{-$locale}/transaction')({ component: TransactionsScreen })
