// The environment of a driven agent: an allow-list plus what the user configured, without Roost's own variables.
import { withoutRoost } from '@roost/core/runtime/child-environment';

/** A name that ends in `*` is a prefix. */
export type Inherited = { why: string; names: readonly string[] };

export type OwnVariables = {
	inherited: readonly Inherited[];
	/** Removed even if configured, such as variables that mark a nested agent. */
	withheld: readonly string[];
};

export type AgentEnvironmentRequest = {
	processEnv: Readonly<Record<string, string | undefined>>;
	/** From config.yaml, `agents.<id>.env`; overrides inherited variables. */
	configured: Readonly<Record<string, string>>;
	session?: string;
};

export type ToAgentEnvironment = (request: AgentEnvironmentRequest) => Record<string, string>;

const INHERITED: readonly Inherited[] = [
	{
		why: 'programs run as in a terminal of the user',
		names: ['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'TMPDIR', 'TZ', 'XDG_*', 'EDITOR', 'VISUAL', 'PAGER'],
	},
	{ why: 'text uses the locale of the user', names: ['LANG', 'LANGUAGE', 'LC_*', 'TERM', 'COLORTERM', 'NO_COLOR'] },
	{ why: 'git can access the remotes of the user', names: ['SSH_AUTH_SOCK', 'GIT_SSH', 'GIT_SSH_COMMAND', 'GIT_ASKPASS'] },
	{
		why: 'network access uses the proxies of this machine',
		names: ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'no_proxy', 'all_proxy'],
	},
	{
		why: 'company certificates are accepted',
		names: ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_TLS_REJECT_UNAUTHORIZED'],
	},
	{ why: 'telemetry and traffic are up to the user', names: ['DISABLE_*', 'DO_NOT_TRACK', 'OTEL_*'] },
];

export function createAgentEnvironment(own: OwnVariables): ToAgentEnvironment {
	const inherits = [...INHERITED, ...own.inherited].flatMap(({ names }) => names);
	return ({ processEnv, configured, session }) => {
		const inherited = Object.entries(processEnv).flatMap(([name, value]) =>
			value !== undefined && isAmong(inherits, name) ? [[name, value] as const] : [],
		);
		const whole: Record<string, string> = withoutRoost({ ...Object.fromEntries(inherited), ...configured });
		const wanted = Object.entries(whole).filter(([name]) => !isAmong(own.withheld, name));
		// Deciding commands refuse to run with this variable: an agent must not decide for its user.
		return { ...Object.fromEntries(wanted), ROOST_SESSION: session || 'driven' };
	};
}

function isAmong(names: readonly string[], name: string): boolean {
	return names.some((each) => (each.endsWith('*') ? name.startsWith(each.slice(0, -1)) : name === each));
}
