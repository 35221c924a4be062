/**
 * Loads what the engine otherwise loads when it is first needed. A face that runs for days calls this when it starts:
 * an update may replace the files meanwhile, and the system may have no file left to open.
 */
export async function loadAll(): Promise<void> {
  await Promise.all([
    import('csv-parse'),
    import('pdfkit'),
    import('#shared/text/file-text.ts'),
    import('./alarms/read-alarms.ts'),
    import('./device/transport/http.ts'),
    import('./discovery/probe-access.ts'),
    import('./discovery/search.ts'),
    import('./planning/read-plan.ts'),
    import('./report-files/html.ts'),
    import('./report-files/pdf.ts'),
    import('./report-files/reader.ts'),
    import('./report-files/verify.ts'),
    import('./reports/reports.ts'),
    import('./site-file/site-files.ts'),
    import('./snapshots/known-facts.ts'),
  ]);
}
