/** The function of every command; its module is loaded when the command begins. */
import type { ActionsOf } from './declarations/declaration.ts';
import type { DECLARATIONS } from './declarations/all.ts';

const loadCredential = () => import('./commands/access/credential.ts');
const loadProfile = () => import('./commands/access/profile.ts');
const loadSecret = () => import('./commands/access/secret.ts');
const loadAgreements = () => import('./commands/devices/agreements.ts');
const loadSnapshots = () => import('./commands/devices/snapshots.ts');
const loadProposals = () => import('./commands/devices/proposals.ts');
const loadSite = () => import('./commands/access/site.ts');
const loadDevice = () => import('./commands/devices/device.ts');
const loadFlow = () => import('./commands/flows/flow.ts');
const loadRun = () => import('./commands/flows/run.ts');
const loadVerify = () => import('./commands/flows/verify.ts');
const loadKeys = () => import('./commands/access/keys.ts');
const loadJobs = () => import('./commands/jobs/jobs.ts');
const loadOpenWork = () => import('./commands/jobs/open-work.ts');
const loadChanges = () => import('./commands/jobs/changes.ts');
const loadModel = () => import('./commands/model.ts');
const loadModelSend = () => import('./commands/model-send.ts');
const loadPrints = () => import('./commands/prints.ts');
const loadReport = () => import('./commands/report.ts');
const loadTemplate = () => import('./commands/templates/template.ts');
const loadOwn = () => import('./commands/templates/own.ts');
const loadUsers = () => import('./commands/users.ts');
const loadUsersWork = () => import('./commands/users-work.ts');
const loadUsersFiles = () => import('./commands/users-files.ts');

/** Returns what loads one function of a module. */
function pick<Module, Name extends keyof Module>(load: () => Promise<Module>, name: Name) {
  return async (): Promise<Module[Name]> => (await load())[name];
}

export const ACTIONS: ActionsOf<typeof DECLARATIONS> = {
  simulate: async () => (await import('./commands/simulate.ts')).simulate,
  serve: async () => (await import('./commands/serve.ts')).serve,
  version: async () => (await import('./commands/version.ts')).showVersion,
  discover: async () => (await import('./commands/devices/discover.ts')).discover,
  device: {
    add: pick(loadDevice, 'addDevice'),
    probe: async () => (await import('./commands/devices/probe.ts')).probeDevice,
    trust: async () => (await import('./commands/devices/trust.ts')).trustDevice,
    distrust: async () => (await import('./commands/devices/trust.ts')).revokeDeviceTrust,
    list: pick(loadDevice, 'listDevices'),
    show: async () => (await import('./commands/devices/show.ts')).showDevice,
    update: async () => (await import('./commands/devices/update.ts')).updateDevices,
    'why-no-alarm': async () => (await import('./commands/devices/alarms.ts')).showAlarms,
    replace: async () => (await import('./commands/devices/replace.ts')).replaceDevice,
    remove: pick(loadDevice, 'removeDevices'),
    import: async () => (await import('./commands/devices/import.ts')).importDeviceFile,
    test: pick(loadDevice, 'testDevices'),
  },
  site: {
    list: pick(loadSite, 'listSites'),
    add: pick(loadSite, 'addSite'),
    rename: pick(loadSite, 'renameSite'),
    remove: pick(loadSite, 'removeSite'),
    status: pick(loadAgreements, 'showStatus'),
    'put-right': pick(loadAgreements, 'putRight'),
    accept: pick(loadAgreements, 'acceptShown'),
    later: pick(loadAgreements, 'putOff'),
    folder: async () => (await import('./commands/devices/site-folder.ts')).writeSiteFolder,
    pack: async () => (await import('./commands/access/site-file.ts')).packSite,
    open: async () => (await import('./commands/access/site-file.ts')).openSiteFile,
  },
  credential: {
    list: pick(loadCredential, 'listCredentials'),
    save: pick(loadCredential, 'saveCredential'),
    assign: pick(loadCredential, 'assignCredential'),
    unassign: pick(loadCredential, 'unassignCredential'),
    remove: pick(loadCredential, 'removeCredential'),
  },
  secret: {
    list: pick(loadSecret, 'listSecrets'),
    set: pick(loadSecret, 'setSecret'),
    remove: pick(loadSecret, 'removeSecret'),
  },
  profile: {
    list: pick(loadProfile, 'listProfiles'),
    save: pick(loadProfile, 'saveProfile'),
    remove: pick(loadProfile, 'removeProfile'),
  },
  operations: async () => (await import('./commands/operations.ts')).printOperations,
  call: async () => (await import('./commands/call.ts')).call,
  request: async () => (await import('./commands/call.ts')).request,
  caps: async () => (await import('./commands/devices/caps.ts')).showCapabilities,
  template: {
    check: pick(loadTemplate, 'runTemplateCheck'),
    show: pick(loadTemplate, 'showTemplate'),
    list: pick(loadTemplate, 'listTemplates'),
    new: async () => (await import('./commands/templates/new.ts')).createTemplate,
    capture: async () => (await import('./commands/templates/capture.ts')).writeCapturedTemplate,
    save: pick(loadOwn, 'saveTemplate'),
    versions: pick(loadOwn, 'listTemplateVersions'),
    diff: async () => (await import('./commands/templates/diff.ts')).printTemplateComparison,
    export: pick(loadOwn, 'exportTemplate'),
    remove: pick(loadOwn, 'removeTemplate'),
  },
  plan: async () => (await import('./commands/apply/plan.ts')).plan,
  rehearse: async () => (await import('./commands/apply/rehearse.ts')).rehearse,
  apply: async () => (await import('./commands/apply/apply.ts')).apply,
  changes: {
    list: pick(loadChanges, 'listChanges'),
    undo: pick(loadChanges, 'undoChange'),
  },
  work: {
    list: pick(loadOpenWork, 'listOpenWork'),
    run: pick(loadOpenWork, 'runOpenWork'),
    drop: pick(loadOpenWork, 'dropOpenWork'),
  },
  jobs: {
    list: pick(loadJobs, 'listJobs'),
    show: pick(loadJobs, 'showJob'),
    export: pick(loadJobs, 'exportJobs'),
    resume: async () => (await import('./commands/jobs/resume.ts')).resumeJob,
    confirm: async () => (await import('./commands/jobs/confirm.ts')).confirmJob,
    undo: async () => (await import('./commands/jobs/undo.ts')).undoJob,
    retry: async () => (await import('./commands/jobs/retry.ts')).retryJob,
    'follow-up': async () => (await import('./commands/jobs/follow-up.ts')).followUpJob,
  },
  snapshot: {
    take: pick(loadSnapshots, 'takeSnapshot'),
    list: pick(loadSnapshots, 'listSnapshots'),
    show: pick(loadSnapshots, 'showSnapshot'),
    compare: pick(loadSnapshots, 'compareSnapshots'),
    restore: pick(loadSnapshots, 'restoreSnapshot'),
  },
  timeline: pick(loadSnapshots, 'showTimeline'),
  proposals: {
    list: pick(loadProposals, 'listProposals'),
    apply: pick(loadProposals, 'applyProposals'),
    dismiss: pick(loadProposals, 'dropProposals'),
    rules: pick(loadProposals, 'listRules'),
    add: pick(loadProposals, 'addRule'),
    remove: pick(loadProposals, 'removeRule'),
  },
  flow: {
    list: pick(loadFlow, 'listFlows'),
    show: pick(loadFlow, 'showFlow'),
    run: pick(loadRun, 'runFlow'),
    resume: pick(loadRun, 'resumeFlow'),
    records: pick(loadFlow, 'listFlowRecords'),
    verify: pick(loadVerify, 'verifyFlowRecords'),
    compare: pick(loadVerify, 'compareFlowRecords'),
  },
  keys: {
    list: pick(loadKeys, 'listKeys'),
    export: pick(loadKeys, 'exportKeys'),
  },
  fingerprints: {
    import: pick(loadPrints, 'importFingerprints'),
    copy: pick(loadPrints, 'copyFingerprints'),
    remove: pick(loadPrints, 'removeFingerprints'),
    enrol: pick(loadPrints, 'enrolFingerprints'),
    export: pick(loadPrints, 'exportFingerprints'),
    forget: pick(loadPrints, 'forgetFingerprints'),
    results: pick(loadPrints, 'listFingerprintResults'),
  },
  model: {
    send: async () => (await loadModelSend()).createModelSend({ update: false }),
    update: async () => (await loadModelSend()).createModelSend({ update: true }),
    list: async () => (await loadModel()).createModelView('list'),
    engines: async () => (await loadModel()).createModelView('engines'),
    storage: async () => (await loadModel()).createModelView('storage'),
    load: async () => (await loadModel()).createModelChange('load'),
    unload: async () => (await loadModel()).createModelChange('unload'),
    reset: async () => (await loadModel()).createModelChange('reset'),
    remove: async () => (await loadModel()).createModelChange('remove'),
    doctor: pick(loadModel, 'checkModelFetching'),
  },
  users: {
    list: pick(loadUsers, 'listPeople'),
    export: pick(loadUsers, 'exportPeople'),
    import: pick(loadUsersWork, 'importPeople'),
    copy: pick(loadUsersWork, 'copyPeople'),
    remove: pick(loadUsersWork, 'removePeople'),
    compare: async () => (await import('./commands/users-compare.ts')).printPeopleComparison,
    receipt: pick(loadUsersFiles, 'exportRemovalReceipt'),
    failed: pick(loadUsersFiles, 'exportFailedPeople'),
  },
  report: {
    capabilities: pick(loadReport, 'reportCapabilities'),
    comparison: pick(loadReport, 'reportComparison'),
    handover: pick(loadReport, 'reportHandover'),
    receipt: pick(loadReport, 'reportReceipt'),
    details: pick(loadReport, 'reportDetails'),
    diagnostics: pick(loadReport, 'reportDiagnostics'),
  },
};
