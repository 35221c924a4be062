/** Model packages and engines of the AI open platform (part 1, 4). */
import { removeUndefined } from '#shared/remove-undefined.ts';
import * as documents from '#simulator/device-documents/ai.ts';
import { answer, replyDone, refuse, type Call, type Handlers, type Reply } from '#simulator/handler.ts';
import type { DeviceState } from '#simulator/state/device-state.ts';
import { formatJsonBody } from '#simulator/status.ts';
import { isDownloadUrl, type Received } from './download.ts';
import { MODELS, type PackageFacts } from './models.ts';
import { createFixedHandler, refuseContent } from '../stored.ts';
import { TASKS } from './tasks.ts';

export const aiModelHandlers: Handlers = {
  ...createFixedHandler('aiPlatform.capabilities.get', (device) =>
    documents.buildAiCapabilities(device.site.pushModels),
  ),
  ...createFixedHandler('aiPlatform.info.get', (device) =>
    documents.buildPlatformInfo(device.site.modelsPerEngine),
  ),

  'aiPlatform.models.create': (call, device) => createModel(call.body?.json ?? {}, device),

  'aiPlatform.modelProgress.get': (call, device) => {
    const percent = device.part(MODELS).percent(call.params['MPID'] ?? '');
    return percent === undefined ? refuse('notExist') : answer(formatJsonBody({ percent }));
  },

  'aiPlatform.models.list': (_call, device) =>
    answer(formatJsonBody({ AlgorithmModels: device.part(MODELS).list() })),
  'aiPlatform.modelStorage.get': (_call, device) => answer(formatJsonBody(device.part(MODELS).space)),

  'aiPlatform.models.update': (call, device) => {
    const body = call.body?.json ?? {};
    const models = device.part(MODELS);
    const MPID = String(body['MPID']);
    const url = body['URL'];
    const known = models.package(MPID);
    if (!known) return refuse('badParameters', 'No package has this MPID.');
    if (known.stage === 'downloading') return refuse('invalidOperation', 'The package is being downloaded.');
    if (url !== undefined && !isDownloadUrl(String(url)))
      return refuseContent(call, 'URL is not an http or https address.');
    return replyDone(() => models.update(MPID, factsOf(body), url === undefined ? undefined : String(url)));
  },

  'aiPlatform.models.delete': (call, device) => {
    const models = device.part(MODELS);
    const MPID = call.params['MPID'] ?? '';
    if (!models.package(MPID)) return refuse('notExist');
    if (models.engines.of(MPID).length > 0)
      return refuse('invalidOperation', 'An engine has the package loaded.');
    return replyDone(() => models.remove(MPID));
  },

  'aiPlatform.engines.list': (_call, device) =>
    answer(
      formatJsonBody({
        LoadingInfoList: documents.ENGINES.flatMap((engine) =>
          device
            .part(MODELS)
            .loading(engine)
            .map((info) => ({ engine, ...info })),
        ),
      }),
    ),
  'aiPlatform.engine.get': onEngine((engine, _call, device) =>
    answer(formatJsonBody({ LoadingInfo: device.part(MODELS).loading(engine)[0] })),
  ),
  'aiPlatform.engine.reset': onEngine((engine, _call, device) =>
    replyDone(() => device.part(MODELS).engines.reset(engine)),
  ),

  'aiPlatform.engine.load': onEngine((engine, call, device) => {
    const models = device.part(MODELS);
    const MPID = String(call.body?.json?.['MPID']);
    const known = models.package(MPID);
    if (!known) return refuse('badParameters', 'No package has this MPID.');
    if (!known.listed) return refuse('invalidOperation', 'The package takes effect after a restart.');
    if (device.faults.strike('engine-busy')) return refuse('deviceBusy', 'The engine is busy.');
    const isLoaded = models.engines.loadedOn(engine).includes(MPID);
    if (!isLoaded && !models.engines.hasRoom(engine))
      return refuse('invalidOperation', 'The engine takes no further package.');
    return replyDone(() => {
      if (!isLoaded) models.engines.load(engine, MPID);
    });
  }),

  'aiPlatform.engine.unload': onEngine((engine, _call, device) => {
    const models = device.part(MODELS);
    if (models.engines.loadedOn(engine).length === 0)
      return refuse('invalidOperation', 'The engine has no package loaded.');
    if (device.part(TASKS).runsOn(engine)) return refuse('invalidOperation', 'Tasks use the engine.');
    return replyDone(() => models.engines.unload(engine));
  }),
};

function onEngine(
  handler: (engine: number, call: Call, device: DeviceState) => Reply,
): (call: Call, device: DeviceState) => Reply {
  return (call, device) => {
    const text = call.params['engineID'] ?? '';
    const engine = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
    return device.part(MODELS).engines.has(engine)
      ? handler(engine, call, device)
      : refuse('notExist', 'The device has no such engine.');
  };
}

/** Returns the package's own facts, as far as the body has them. */
function factsOf(body: Readonly<Record<string, unknown>>): Partial<PackageFacts> {
  return {
    ...(typeof body['MPName'] === 'string' ? { MPName: body['MPName'] } : {}),
    ...removeUndefined({ description: body['description'], algSortingParams: body['algSortingParams'] }),
  };
}

/** Creates a package: with its `file`, or the addresses to fetch it from, or neither yet (part 1, 2.3). */
export function createModel(
  body: Readonly<Record<string, unknown>>,
  device: DeviceState,
  file?: Received,
): Reply {
  const models = device.part(MODELS);
  const MPID = String(body['MPID']);
  const { URL: url, licenseKeyUrl } = body;
  const engines = (body['engine'] ?? []) as readonly number[];
  const known = models.package(MPID);
  if (known && known.stage !== 'failed') return refuse('alreadyExist', 'A package has this MPID.');
  for (const [name, address] of Object.entries({ URL: url, licenseKeyUrl }))
    if (address !== undefined && !isDownloadUrl(String(address)))
      return refuse('badJsonContent', `${name} is not an http or https address.`);
  if (!engines.every((engine) => models.engines.has(engine)))
    return refuse('badJsonContent', 'engine names one that the device does not have.');
  if (models.freeMegabytes === 0) return refuse('storageFull');
  const facts = { MPName: '', ...factsOf(body) };
  if (file !== undefined) return replyDone(() => models.take(MPID, facts, engines, file));
  // A package without an address waits for one.
  const urls = [url, licenseKeyUrl].filter((address) => address !== undefined).map(String);
  return replyDone(() => models.begin(MPID, facts, url === undefined ? [] : urls, engines));
}
