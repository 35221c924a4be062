/** Model packages and engines of the AI open platform (part 1, 4). */
import { defined } from '../../shared/defined.ts';
import * as documents from '../documents/ai.ts';
import { answer, done, refuse, type Call, type Handlers, type Reply } from '../handler.ts';
import type { DeviceState } from '../state/device-state.ts';
import { jsonBody } from '../status.ts';
import { isDownloadUrl } from './download.ts';
import { MODELS, type PackageFacts } from './models.ts';
import { fixedHandler, refuseContent } from './stored.ts';
import { TASKS } from './tasks.ts';

export const aiModelHandlers: Handlers = {
  ...fixedHandler('aiPlatform.capabilities.get', documents.aiCapabilities),
  ...fixedHandler('aiPlatform.info.get', documents.platformInfo),

  'aiPlatform.models.create': (call, device) => {
    const body = call.body?.json ?? {};
    const models = device.part(MODELS);
    const MPID = String(body['MPID']);
    const { URL: url, licenseKeyUrl } = body;
    const engines = (body['engine'] ?? []) as readonly number[];
    const known = models.package(MPID);
    if (known && known.stage !== 'failed') return refuse('alreadyExist', 'A package has this MPID.');
    if (url !== undefined && !isDownloadUrl(String(url)))
      return refuseContent(call, 'URL is not an http or https address.');
    if (licenseKeyUrl !== undefined && !isDownloadUrl(String(licenseKeyUrl)))
      return refuseContent(call, 'licenseKeyUrl is not an http or https address.');
    if (!engines.every((engine) => models.hasEngine(engine)))
      return refuseContent(call, 'engine names one that the device does not have.');
    if (models.freeMegabytes === 0) return refuse('storageFull');
    // without an address the package waits for one: sending the file itself is not specified
    const urls = [url, licenseKeyUrl].filter((address) => address !== undefined).map(String);
    return done(() =>
      models.begin(MPID, { MPName: '', ...factsOf(body) }, url === undefined ? [] : urls, engines),
    );
  },

  'aiPlatform.modelProgress.get': (call, device) => {
    const percent = device.part(MODELS).percent(call.params['MPID'] ?? '');
    return percent === undefined ? refuse('notExist') : answer(jsonBody({ percent }));
  },

  'aiPlatform.models.list': (_call, device) =>
    answer(jsonBody({ AlgorithmModels: device.part(MODELS).list() })),
  'aiPlatform.modelStorage.get': (_call, device) => answer(jsonBody(device.part(MODELS).space)),

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
    return done(() => models.update(MPID, factsOf(body), url === undefined ? undefined : String(url)));
  },

  'aiPlatform.models.delete': (call, device) => {
    const models = device.part(MODELS);
    const MPID = call.params['MPID'] ?? '';
    if (!models.package(MPID)) return refuse('notExist');
    if (models.isLoaded(MPID)) return refuse('invalidOperation', 'An engine has the package loaded.');
    return done(() => models.remove(MPID));
  },

  'aiPlatform.engines.list': (_call, device) =>
    answer(
      jsonBody({
        LoadingInfoList: documents.ENGINES.map((engine) => ({
          engine,
          ...device.part(MODELS).loading(engine),
        })),
      }),
    ),
  'aiPlatform.engine.get': onEngine((engine, _call, device) =>
    answer(jsonBody({ LoadingInfo: device.part(MODELS).loading(engine) })),
  ),
  'aiPlatform.engine.reset': onEngine((engine, _call, device) =>
    done(() => device.part(MODELS).reset(engine)),
  ),

  'aiPlatform.engine.load': onEngine((engine, call, device) => {
    const models = device.part(MODELS);
    const MPID = String(call.body?.json?.['MPID']);
    const known = models.package(MPID);
    if (!known) return refuse('badParameters', 'No package has this MPID.');
    if (!known.listed) return refuse('invalidOperation', 'The package takes effect after a restart.');
    const loaded = models.loadedOn(engine);
    if (loaded !== undefined && loaded !== MPID)
      return refuse('invalidOperation', 'The engine has another package loaded.');
    return done(() => {
      if (loaded === undefined) models.load(engine, MPID);
    });
  }),

  'aiPlatform.engine.unload': onEngine((engine, _call, device) => {
    const models = device.part(MODELS);
    if (models.loadedOn(engine) === undefined)
      return refuse('invalidOperation', 'The engine has no package loaded.');
    if (device.part(TASKS).runsOn(engine)) return refuse('invalidOperation', 'Tasks use the engine.');
    return done(() => models.unload(engine));
  }),
};

function onEngine(
  handler: (engine: number, call: Call, device: DeviceState) => Reply,
): (call: Call, device: DeviceState) => Reply {
  return (call, device) => {
    const text = call.params['engineID'] ?? '';
    const engine = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
    return device.part(MODELS).hasEngine(engine)
      ? handler(engine, call, device)
      : refuse('notExist', 'The device has no such engine.');
  };
}

/** What the package says of itself, as far as the body has it. */
function factsOf(body: Readonly<Record<string, unknown>>): Partial<PackageFacts> {
  return {
    ...(typeof body['MPName'] === 'string' ? { MPName: body['MPName'] } : {}),
    ...defined({ description: body['description'], algSortingParams: body['algSortingParams'] }),
  };
}
