/** Reports as the rest of the engine knows them: what makes them is loaded when somebody asks for one. */
import type { ReportsOptions } from './makers.ts';
import type { ReportsApi } from './reports.ts';

export function createReports(options: ReportsOptions): ReportsApi {
  const load = async (): Promise<ReportsApi> => (await import('./reports.ts')).createReports(options);
  return {
    async *gather(request, signal) {
      yield* (await load()).gather(request, signal);
    },
    async *make(request, signal) {
      yield* (await load()).make(request, signal);
    },
    readings: async (request, signal) => (await load()).readings(request, signal),
    open: async (request, signal) => (await load()).open(request, signal),
    details: async (request, signal) => (await load()).details(request, signal),
    exampleDetails: async (request, signal) => (await load()).exampleDetails(request, signal),
    file: async (request, signal) => (await load()).file(request, signal),
  };
}
