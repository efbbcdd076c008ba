import { createFileRoute } from '@tanstack/react-router'
import { ActivateScreen } from '../../../features/activation/activate-screen.tsx'

export const Route = createFileRoute('/{-$locale}/swap/activate')({ component: ActivateScreen })
