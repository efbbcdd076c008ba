import { currentLocale } from '@clearwell/ui/i18n/locale.ts'
import { useConfig } from '../api/config.ts'
import { m } from '../generated/messages.ts'

/** The product's name, as the operator configured it. */
export function useProductName(): string {
  return useConfig()?.product[currentLocale()] ?? m.app_name()
}

/** The page title is the product's name. React moves it into the head. */
export function ProductTitle() {
  return <title>{useProductName()}</title>
}
