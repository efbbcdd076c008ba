import { createFileRoute } from '@tanstack/react-router'
import { LanguageScreen } from '../../app/language-screen.tsx'

export const Route = createFileRoute('/{-$locale}/language')({ component: LanguageScreen })
