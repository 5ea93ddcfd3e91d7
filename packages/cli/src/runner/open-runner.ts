// The only place that loads code of the runner; each part is loaded when a command needs it.

export const loadRecord = () => import('@roost/runner/record/record');
export const loadExport = () => import('@roost/runner/record/export-session');
export const loadSearch = () => import('@roost/runner/record/record-search');
export const loadVerify = () => import('@roost/runner/record/verify-record');
export const loadVerifyExport = () => import('@roost/runner/record/verify-record');
export const loadUsage = () => import('@roost/runner/record/record-search');
export const loadHeadlessTerminal = () => import('@roost/runner/terminals/headless-terminal');
export const loadServe = () => import('@roost/runner/serve');
export const loadStage = () => import('@roost/runner/stage');

type StageModule = Awaited<ReturnType<typeof loadStage>>;
type StageOptions = Parameters<StageModule['openStage']>[0];
export type Stage = Extract<Awaited<ReturnType<StageModule['openStage']>>, { ok: true }>['value'];
export type NamedRule = StageOptions['rules'][number];
