// Starts a session with a prompt, or sends the prompt to one that is on record.
import { stat } from 'node:fs/promises';
import type { ApiClient } from '@roost/client/api-client';
import { AppError } from '@roost/protocol/app-error';
import type { PromptId, SessionId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import { findOnRecord } from '../on-session.ts';
import type { RunRequest } from './run-options.ts';

export type BegunRun = {
	sessionId: SessionId;
	agent: string;
	/** Offset of the feed before the prompt. */
	after: number;
	/** Set if the session may get prompts from others. */
	prompt?: PromptId | undefined;
	/** Set if the prompt is queued. */
	waiting?: PromptId | undefined;
	/** The agent was running before, and keeps running. */
	wasThere: boolean;
};

export async function beginRun(api: ApiClient, request: RunRequest, prompt: string): Promise<Result<BegunRun>> {
	const begun = request.resume === undefined ? await beginNew(api, request, prompt) : await goOn(api, request.resume, prompt);
	return begun.ok ? begun : err(new AppError('cannot_start', begun.error.message, { cause: begun.error }));
}

async function beginNew(api: ApiClient, request: RunRequest, prompt: string): Promise<Result<BegunRun>> {
	const { cwd, model, permissionMode, maxTurns } = request;
	if (!(await isFolder(cwd)))
		return err(new AppError('cannot_start', `There is no folder ${cwd}: choose an existing one with --cwd.`));
	const agent = await findAgent(request.agent);
	if (!agent.ok) return agent;
	const body = { projectId: cwd, cwd, agent: agent.value, prompt, model, permissionMode, maxTurns };
	const created = await api.sessions.create({ commandId: crypto.randomUUID(), ...body });
	if (!created.ok) return created;
	return ok({ sessionId: created.value.sessionId, agent: agent.value, after: 0, wasThere: false });
}

async function isFolder(path: string): Promise<boolean> {
	try {
		return (await stat(path)).isDirectory();
	} catch {
		// Missing or not readable.
		return false;
	}
}

/** Defaults to the configured agent; the runner checks whether it can be driven. */
async function findAgent(named: string | undefined): Promise<Result<string>> {
	if (named !== undefined) return ok(named);
	const { loadConfig } = await import('@roost/home/config/load-config');
	const config = loadConfig({ env: process.env });
	return config.ok ? ok(config.value.runtime.default) : config;
}

async function goOn(api: ApiClient, given: string, prompt: string): Promise<Result<BegunRun>> {
	const found = await findOnRecord(given);
	if (!found.ok) return found;
	const { id, agent, status, events } = found.value;
	const taken = await api.sessions.message({ commandId: crypto.randomUUID(), id, text: prompt });
	if (!taken.ok) return taken;
	const wasThere = status !== 'ended' && status !== 'interrupted';
	return ok({ sessionId: id, agent, after: events, prompt: taken.value.promptId, waiting: taken.value.queued?.id, wasThere });
}
