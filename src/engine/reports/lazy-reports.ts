/** Reports of the engine. The code that makes them is loaded when one is asked for: few commands need it. */
import type { ReportsOptions } from './makers.ts';
import type { ReportsApi } from './reports.ts';

export function createLazyReports(options: ReportsOptions): ReportsApi {
  const load = async (): Promise<ReportsApi> => (await import('./reports.ts')).createReports(options);
  return {
    async *gather(request, signal) {
      yield* (await load()).gather(request, signal);
    },
    async *make(request, signal) {
      yield* (await load()).make(request, signal);
    },
    async *exportDocument(request, signal) {
      yield* (await load()).exportDocument(request, signal);
    },
    siteDetails: async (request, signal) => (await load()).siteDetails(request, signal),
    saveSiteDetails: async (request, signal) => (await load()).saveSiteDetails(request, signal),
    documents: async (signal) => (await load()).documents(signal),
    document: async (request, signal) => (await load()).document(request, signal),
    putBack: async (request, signal) => (await load()).putBack(request, signal),
    removeDocument: async (request, signal) => (await load()).removeDocument(request, signal),
    checkTemplate: async (request, signal) => (await load()).checkTemplate(request, signal),
    readings: async (request, signal) => (await load()).readings(request, signal),
    open: async (request, signal) => (await load()).open(request, signal),
    details: async (request, signal) => (await load()).details(request, signal),
    exampleDetails: async (request, signal) => (await load()).exampleDetails(request, signal),
    file: async (request, signal) => (await load()).file(request, signal),
  };
}
