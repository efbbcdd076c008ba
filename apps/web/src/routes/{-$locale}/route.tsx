import { createFileRoute } from '@tanstack/react-router'

/** Every screen lives at the bare path and under `/en`; any other first word is no language. */
export const Route = createFileRoute('/{-$locale}')({
  params: {
    parse: (params): { locale?: 'en' } | false => {
      if (params.locale === undefined) return {}
      return params.locale === 'en' ? { locale: 'en' } : false
    },
  },
})
