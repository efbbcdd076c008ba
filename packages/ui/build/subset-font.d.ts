/** The part of the package that we use, which has no types. */
declare module 'subset-font' {
  export default function subsetFont(
    font: Buffer,
    text: string,
    options: {
      readonly targetFormat: 'woff2'
      readonly variationAxes: Readonly<Record<string, number | { readonly min: number; readonly max: number }>>
      readonly keepFeatures: readonly string[]
    },
  ): Promise<Buffer>
}
