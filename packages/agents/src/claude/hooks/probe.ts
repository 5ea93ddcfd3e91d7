// Tries the hooks of an enforced launch of claude without claude: what its settings file says is fired as claude would.
import { readFileSync, rmSync } from 'node:fs';
import { writePrivateFile } from '@roost/machine/private-file';
import { AppError } from '@roost/protocol/app-error';
import { err, ok } from '@roost/protocol/result';
import { hookEnvironment } from '../../hooks/hook-environment.ts';
import type { OpenProbe } from '../../kind/observed-kind.ts';
import { launchHooks } from '../launch-settings.ts';
import { firedSettings, fireEntry } from './fire-entry.ts';

/** Written and read back, so that it is the file that is tried. */
export const openClaudeProbe: OpenProbe = ({ hooks, session, env, forwarder, runDir, timeoutMs }) => {
	const written = writePrivateFile(runDir, launchHooks(hooks, { forwarder, gate: 'enforce', env }), `probe-${session}.json`);
	if (!written.ok) return written;
	try {
		const settings = firedSettings.parse(JSON.parse(readFileSync(written.value, 'utf8')));
		const [start, gate] = ['SessionStart', 'PreToolUse'].map((event) => settings.hooks[event]?.[0].hooks[0]);
		if (!start || !gate) return err(new AppError('internal', 'the settings of a launch lack the entries that gate it'));
		const own = { ...env, ...hookEnvironment({ ...hooks, gate: 'enforce', session }), ...settings.env };
		return ok({
			start: (payload) => fireEntry(start, { env: own, payload: { ...payload, hook_event_name: 'SessionStart' }, timeoutMs }),
			call: (payload, secret) =>
				fireEntry(gate, {
					env: secret === undefined ? own : { ...own, ROOST_HOOK_SECRET: secret },
					payload: { ...payload, hook_event_name: 'PreToolUse' },
					timeoutMs,
				}),
		});
	} finally {
		rmSync(written.value, { force: true });
	}
};
