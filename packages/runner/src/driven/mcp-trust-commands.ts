// Trust in a project's MCP servers for the API. A server must still be exactly as it was shown.
import { kindWith } from '@roost/agents/kinds';
import { createRedactor, type Redactor } from '@roost/core/redaction/redact';
import type { Backend } from '@roost/gateway/operations/backend';
import type { McpTrust } from '@roost/home/mcp-trust';
import { findFolder } from '@roost/home/project';
import { sha256 } from '@roost/machine/sha256';
import type { McpServerConfig, ProjectMcp } from '@roost/protocol/api/mcp-trust';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { type RunnerStream, toWho } from '../record/runner-stream.ts';

export function createMcpTrustCommands(trust: McpTrust, own: Pick<RunnerStream, 'record'>): Backend['projectServers'] {
	const redactor = createRedactor(sha256);

	async function list(folder: string): Promise<Result<ProjectMcp>> {
		const found = await findFolder(folder, 'project');
		if (!found.ok) return found;
		const { project, servers, broken } = await kindWith('readProjectServers').readProjectServers(found.value);
		const shown = servers.map(({ name, hash, config }) => ({
			name,
			hash,
			trusted: trust.isTrusted(project, name, hash),
			config: toShownServer(config, redactor),
		}));
		return ok({ project, servers: shown, broken });
	}

	function recordUntrusted(project: string, server: string, who: string, reason?: string): Promise<Result<void>> {
		return own.record({ kind: 'mcp.untrusted', data: { project, server, untrusted_by: who, reason } });
	}

	return {
		list: ({ project }) => list(project),
		async trust({ project: folder, name, hash }, { by }) {
			const there = await list(folder);
			if (!there.ok) return there;
			const { project, servers } = there.value;
			const server = servers.find((each) => each.name === name);
			if (!server) return err(new AppError('not_found', 'MCP server not found in the .mcp.json of this project.'));
			if (server.hash !== hash) {
				return err(new AppError('conflict', 'This MCP server has changed. Review it again before you trust it.'));
			}
			// Recorded first: nothing is trusted without a record.
			const data = { project, server: name, hash, trusted_by: toWho(by) };
			const recorded = await own.record({ kind: 'mcp.trusted', data });
			if (!recorded.ok) return recorded;
			const kept = trust.trust(project, name, hash);
			if (kept.ok) return ok({ project, name, trusted: true });
			await recordUntrusted(project, name, 'system', kept.error.message);
			return kept;
		},
		async untrust({ project: folder, name }, { by }) {
			const there = await list(folder);
			if (!there.ok) return there;
			const { project } = there.value;
			const gone = trust.untrust(project, name);
			if (!gone.ok) return gone;
			if (!gone.value) return err(new AppError('not_found', 'This MCP server is not trusted in this project.'));
			// Removed first: unrecorded trust is worse than an unrecorded removal.
			const recorded = await recordUntrusted(project, name, toWho(by));
			return recorded.ok ? ok({ project, name, trusted: false }) : recorded;
		},
	};
}

function toShownServer(config: McpServerConfig, redactor: Redactor): McpServerConfig {
	const shown = redactor.redact(config).value;
	if ('url' in shown) return { ...shown, ...(shown.headers && { headers: hideValues(shown.headers, () => false) }) };
	return { ...shown, ...(shown.env && { env: hideValues(shown.env, (name) => CHANGES_WHAT_RUNS.test(name)) }) };
}

/** Variables that may change what the program runs are shown. */
const CHANGES_WHAT_RUNS =
	/^(?:.*PATH|.*_?OPTIONS|.*OPTS?|LD_.*|DYLD_.*|BASH_ENV|ENV|SHELL|HOME|NODE_.*|PYTHON.*|RUBY.*|PERL.*|GIT_.*|NPM_CONFIG_.*)$/i;

/** A reference to a variable is not a secret. */
const REFERENCE = /^(?:\w+ )?\$\{\w+\}$/;

function hideValues(map: Readonly<Record<string, string>>, isShown: (name: string) => boolean): Record<string, string> {
	return Object.fromEntries(
		Object.entries(map).map(([name, value]) => [name, isShown(name) || REFERENCE.test(value) ? value : '[hidden]']),
	);
}
