/** Returns the page for an unknown path: a link home, in both languages. */
export function notFoundPage(productName: string): string {
  return `<!doctype html>
<html lang="zh-HK">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark light">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<title>${escapeHtml(productName)}</title>
</head>
<body>
<h1>404</h1>
<p>找不到頁面。<a href="/">返回首頁</a></p>
<p lang="en">Page not found. <a href="/en">Back to home</a></p>
</body>
</html>
`
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
