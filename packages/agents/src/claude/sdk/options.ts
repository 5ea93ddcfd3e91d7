// SDK options and the MCP file for a driven Claude, or the reason why it is not started.
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import type { Options, SettingSource } from '@anthropic-ai/claude-agent-sdk';
import type { DrivenRequest } from '@roost/core/runtime/connection';
import { QUESTION_TOOL } from '@roost/core/runtime/normal-form/questions';
import { writePrivateFile } from '@roost/machine/private-file';
import { ok, type Result } from '@roost/protocol/result';
import { refuseModel } from '../../live/gate.ts';
import { DEFAULT_MODE, refuseMode, toClaudeMode } from './permission-modes.ts';
import { isUuid } from './prompts.ts';
import type { Surroundings } from './read-surroundings.ts';

type ClaudeSettings = {
	/** Complete: nothing is inherited. */
	env: Readonly<Record<string, string>>;
	executable?: string | undefined;
	mcpConfigPath?: string | undefined;
	settingSources: readonly SettingSource[];
	/** Per prompt. */
	maxTurns?: number | undefined;
	/** Whether bypassPermissions is available here. */
	bypassable: boolean;
};

export function refuseRequest(request: DrivenRequest, { bypassable }: Pick<ClaudeSettings, 'bypassable'>): string | null {
	const { resume, model } = request;
	if (resume && !isUuid(resume.nativeId)) return 'This is not the id of a conversation with Claude: such an id is a UUID.';
	if (resume?.upTo !== undefined && !isUuid(resume.upTo))
		return 'This is not the id of a message of Claude: such an id is a UUID.';
	if (resume?.upTo !== undefined && !resume.fork) return 'Only a fork can end at an earlier message: fork the session instead.';
	return refuseModel(model) ?? refuseMode(request.permissionMode ?? DEFAULT_MODE, bypassable);
}

export function toOptions(request: DrivenRequest, settings: ClaudeSettings, instructions: string, nativeId: string): Options {
	const { executable, maxTurns, mcpConfigPath } = settings;
	const { extraArgs, ...mode } = modeOptions(request.permissionMode ?? DEFAULT_MODE, settings.bypassable);
	return {
		cwd: request.cwd,
		env: { ...settings.env },
		settingSources: [...settings.settingSources],
		// In plan mode a model would judge commands; here rules and people do.
		settings: { useAutoModeDuringPlan: false, disableAutoMode: 'disable' },
		systemPrompt: { type: 'preset', preset: 'claude_code', ...(instructions ? { append: instructions } : {}) },
		strictMcpConfig: true,
		// The SDK option would put everything into the arguments, including secrets.
		extraArgs: { ...extraArgs, ...(mcpConfigPath === undefined ? {} : { 'mcp-config': mcpConfigPath }) },
		includePartialMessages: true,
		forwardSubagentText: true,
		...(request.model === undefined ? {} : { model: request.model }),
		...(executable === undefined ? {} : { pathToClaudeCodeExecutable: executable }),
		...(maxTurns === undefined ? {} : { maxTurns }),
		...toolOptions(request.allowedTools),
		...mode,
		...conversationOptions(request, nativeId),
	};
}

/** `tools` limits the tools; `allowedTools` would allow them without asking. */
function toolOptions(allowed: readonly string[] | undefined): Pick<Options, 'tools'> {
	return allowed ? { tools: [...new Set([...allowed, QUESTION_TOOL])] } : {};
}

function modeOptions(
	mode: string,
	bypassable: boolean,
): Pick<Options, 'permissionMode' | 'allowDangerouslySkipPermissions' | 'extraArgs'> {
	const permissionMode = toClaudeMode(mode) ?? DEFAULT_MODE;
	const reach = bypassable ? { allowDangerouslySkipPermissions: true } : {};
	// As an argument: with the option the SDK prints a warning about skipped callbacks.
	if (permissionMode === 'bypassPermissions') return { ...reach, extraArgs: { 'permission-mode': permissionMode } };
	return { ...reach, permissionMode };
}

function conversationOptions(
	{ resume }: DrivenRequest,
	nativeId: string,
): Pick<Options, 'sessionId' | 'resume' | 'forkSession' | 'resumeSessionAt'> {
	if (!resume) return { sessionId: nativeId };
	if (!resume.fork) return { resume: resume.nativeId };
	const upTo = resume.upTo === undefined ? {} : { resumeSessionAt: resume.upTo };
	return { resume: resume.nativeId, forkSession: true, sessionId: nativeId, ...upTo };
}

type McpConfigFile = {
	readonly path: string | undefined;
	/** Idempotent. */
	remove(): void;
};

export function writeMcpConfigFile(dir: string, mcpServers: Surroundings['mcpServers']): Result<McpConfigFile> {
	if (Object.keys(mcpServers).length === 0) return ok({ path: undefined, remove: () => {} });
	const written = writePrivateFile(dir, { mcpServers }, `${randomUUID()}.json`);
	if (!written.ok) return written;
	const path = written.value;
	return ok({ path, remove: () => rmSync(path, { force: true }) });
}

/** Removes files of earlier runners. The folder must not be in use. */
export function removeMcpConfigFiles(dir: string): void {
	rmSync(dir, { recursive: true, force: true });
}
