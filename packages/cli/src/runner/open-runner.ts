// The only place that loads code of the runner; each part is loaded when a command needs it.
import { AppError } from '@roost/protocol/app-error';
import { currentTarget } from '../hub/target.ts';

/** The record of this machine must not be shown in place of that of another runner. */
function requireOwnRecord(): void {
	if (currentTarget() === undefined) return;
	throw new AppError('usage', 'This command reads the record of the machine that it runs on. Run it there, without --hub.');
}

export async function loadRecord() {
	requireOwnRecord();
	return await import('@roost/runner/record/record');
}
export async function loadVerify() {
	requireOwnRecord();
	return await import('@roost/runner/record/verify-record');
}
export const loadExport = () => import('@roost/runner/record/export-session');
export const loadSearch = () => import('@roost/runner/record/record-search');
export const loadVerifyExport = () => import('@roost/runner/record/verify-record');
export const loadUsage = () => import('@roost/runner/record/record-search');
export const loadHeadlessTerminal = () => import('@roost/runner/terminals/headless-terminal');
export const loadServe = () => import('@roost/runner/serve');
export const loadStage = () => import('@roost/runner/stage');

type StageModule = Awaited<ReturnType<typeof loadStage>>;
type StageOptions = Parameters<StageModule['openStage']>[0];
export type Stage = Extract<Awaited<ReturnType<StageModule['openStage']>>, { ok: true }>['value'];
export type NamedRule = StageOptions['rules'][number];
