// An MCP server as people are shown it before they trust it: all that decides what runs, and no value that may be a secret.
import type { Redactor } from '@roost/core/redaction/redact';
import type { McpServerConfig } from '@roost/protocol/api/mcp-trust';

export function toShownServer(config: McpServerConfig, redactor: Redactor): McpServerConfig {
	const shown = redactor.redact(config).value;
	if ('url' in shown) return { ...shown, ...(shown.headers && { headers: hideValues(shown.headers, () => false) }) };
	return { ...shown, ...(shown.env && { env: hideValues(shown.env, (name) => CHANGES_WHAT_RUNS.test(name)) }) };
}

/** A variable of these may make the program run something else, so it has to be seen. */
const CHANGES_WHAT_RUNS =
	/^(?:.*PATH|.*_?OPTIONS|.*OPTS?|LD_.*|DYLD_.*|BASH_ENV|ENV|SHELL|HOME|NODE_.*|PYTHON.*|RUBY.*|PERL.*|GIT_.*|NPM_CONFIG_.*)$/i;

/** Says where a value comes from, not what it is. */
const REFERENCE = /^(?:\w+ )?\$\{\w+\}$/;

function hideValues(map: Readonly<Record<string, string>>, isShown: (name: string) => boolean): Record<string, string> {
	return Object.fromEntries(
		Object.entries(map).map(([name, value]) => [name, isShown(name) || REFERENCE.test(value) ? value : '[hidden]']),
	);
}
