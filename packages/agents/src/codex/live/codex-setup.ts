// Codex, driven through its app-server: program, environment, Roost's hook, and instructions of the repository.
import { toPinnedArgv } from '@roost/core/process/loader-variables';
import type { DrivableAgent, DrivenRequest } from '@roost/core/runtime/connection';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { quoteArgv } from '../../base/argv.ts';
import { toHookSeconds, toProgramMs } from '../../base/ask-timeouts.ts';
import { drivenCapabilities } from '../../base/capabilities.ts';
import type { Forwarder } from '../../kind/observed-kind.ts';
import { refuseMode, refuseModel } from '../../live/gate.ts';
import { createLiveDrivable, type DriveDeps } from '../../live/live-agent.ts';
import { toConfigArgs, tomlString, untrust } from '../config-args.ts';
import { readRepositoryInstructions } from '../repository-instructions.ts';
import { codexHome, createHasPrompt, findRollout, parseRollout } from '../rollout-files.ts';
import { createCodexWire } from './codex-wire.ts';
import type { ThreadSetup } from './open-thread.ts';

export type CodexSetup = ReturnType<typeof createCodexSetup>;

export type Prepared = Pick<ThreadSetup, 'hookCommand' | 'instructions' | 'from'> & {
	argv: readonly [string, ...string[]];
	env: Readonly<Record<string, string>>;
	leftOut: readonly string[];
};

type CodexSetupDeps = Pick<DriveDeps, 'command' | 'env'> & {
	/** Private folder for the sockets of hooks. */
	runDir: string;
	forwarder: Forwarder;
	version: string;
};

export function createCodexSetup(deps: CodexSetupDeps) {
	const [program] = deps.command;
	const { node, script, askMs } = deps.forwarder;
	const hookCommand = quoteArgv(toPinnedArgv([node, script, 'PreToolUse', '--wait-ms', String(toProgramMs(askMs))]));
	return {
		program,
		runDir: deps.runDir,
		/** Version of Roost. */
		version: deps.version,
		/** Two processes that start in a new home at once break its database. */
		oneAtATime: createOneAtATime(),
		async prepare(request: DrivenRequest): Promise<Result<Prepared>> {
			const env = deps.env(request.session ?? '');
			try {
				const { text, leftOut, trustRoots } = await readRepositoryInstructions(request.cwd);
				const settings = toConfigArgs({
					...SETTINGS,
					...toHooks(hookCommand, toHookSeconds(askMs)),
					projects: untrust(trustRoots),
				});
				const argv = [program, ...deps.command.slice(1), 'app-server', ...settings] as const;
				return ok({ argv, env, hookCommand, instructions: text, leftOut, from: await toFrom(request, env) });
			} catch (cause) {
				return err(
					new AppError('cannot_start', `Codex cannot work in ${request.cwd}: check that the folder is there.`, { cause }),
				);
			}
		},
	};
}

const SETTINGS = {
	// Input to a running command passes no hook.
	'features.unified_exec_tty': 'false',
	'features.default_mode_request_user_input': 'true',
	// A search runs at the provider, outside of the gate.
	web_search: tomlString('disabled'),
	check_for_update_on_startup: 'false',
	suppress_unstable_features_warning: 'true',
};

function toHooks(command: string, timeoutS: number): Record<string, string> {
	const handler = `{type="command", command=${tomlString(command)}, timeout=${timeoutS}}`;
	return { 'features.hooks': 'true', 'hooks.PreToolUse': `[{matcher="*", hooks=[${handler}]}]` };
}

/** A session killed before its first message starts again. */
async function toFrom({ resume }: DrivenRequest, env: Readonly<Record<string, string>>): Promise<Prepared['from']> {
	if (!resume?.ifMissing) return resume;
	const path = await findRollout(codexHome(env), resume.nativeId);
	if (path !== null && (await parseRollout(path)) !== null) return resume;
	const { copyOf } = resume.ifMissing;
	return copyOf && { ...copyOf, fork: true };
}

type OneAtATime = <T>(run: () => Promise<T>) => Promise<T>;

function createOneAtATime(): OneAtATime {
	let last: Promise<unknown> = Promise.resolve();
	return (run) => {
		const next = last.then(run);
		last = next.catch(() => undefined);
		return next;
	};
}

export type CodexAgentDeps = CodexSetupDeps & DriveDeps;

export const CODEX_CAPABILITIES = drivenCapabilities('codex');

export function createCodexAgent(deps: CodexAgentDeps): DrivableAgent {
	const setup = createCodexSetup(deps);
	return createLiveDrivable(
		{
			capabilities: CODEX_CAPABILITIES,
			usualKey: 'OPENAI_API_KEY',
			title: 'Codex',
			refuse: refuseRequest,
			connect: (live, request) => createCodexWire(live, request, setup),
			hasPrompt: createHasPrompt(deps.env('')),
		},
		deps,
	);
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Ids of Codex are UUIDs; anything else could be a path. */
function refuseRequest({ model, permissionMode, resume }: DrivenRequest): string | null {
	const ids = [resume?.nativeId, resume?.upTo, resume?.ifMissing?.copyOf?.nativeId, resume?.ifMissing?.copyOf?.upTo];
	const bad = ids.find((id) => id !== undefined && !UUID.test(id));
	if (bad !== undefined) return `"${bad.slice(0, 80)}" is not the id of a conversation of Codex, which is a UUID.`;
	return refuseModel(model) ?? (permissionMode === undefined ? null : refuseMode(permissionMode));
}
