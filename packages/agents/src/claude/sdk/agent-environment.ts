// The environment of a driven agent: an allow-list of what it needs, and what the user configured. Never what is Roost's own.

/** What an agent may inherit, and why. A name that ends in `*` stands for all that begin so. */
const INHERITED: readonly { why: string; names: readonly string[] }[] = [
	{
		why: 'programs run as in a terminal of the user',
		names: ['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'TMPDIR', 'TZ', 'XDG_*', 'EDITOR', 'VISUAL', 'PAGER'],
	},
	{ why: 'texts are read and written as the user does', names: ['LANG', 'LANGUAGE', 'LC_*', 'TERM', 'COLORTERM', 'NO_COLOR'] },
	{ why: 'git reaches the remotes of the user', names: ['SSH_AUTH_SOCK', 'GIT_SSH', 'GIT_SSH_COMMAND', 'GIT_ASKPASS'] },
	{
		why: 'the network is reached the way this machine does',
		names: ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'no_proxy', 'all_proxy'],
	},
	{
		why: 'certificates of a company are known',
		names: ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_TLS_REJECT_UNAUTHORIZED', 'CLAUDE_CODE_CLIENT_*'],
	},
	{
		why: 'Claude finds its configuration, its login and its model',
		names: [
			'CLAUDE_CONFIG_DIR',
			'ANTHROPIC_*',
			'CLAUDE_CODE_OAUTH_TOKEN',
			'CLAUDE_CODE_API_BASE_URL',
			'CLAUDE_CODE_SUBAGENT_MODEL',
		],
	},
	{
		why: 'Claude reaches the cloud that its models are served from',
		names: ['CLAUDE_CODE_USE_*', 'CLAUDE_CODE_SKIP_*', 'AWS_*', 'GOOGLE_*', 'CLOUD_ML_*', 'VERTEX_*', 'GCLOUD_*', 'AZURE_*'],
	},
	{
		why: 'telemetry and traffic are the choice of the user',
		names: ['DISABLE_*', 'DO_NOT_TRACK', 'OTEL_*', 'CLAUDE_CODE_ENABLE_TELEMETRY', 'CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC'],
	},
	{
		why: 'limits that the user set for Claude hold',
		names: ['MAX_THINKING_TOKENS', 'MAX_MCP_OUTPUT_TOKENS', 'MCP_*', 'BASH_*', 'API_TIMEOUT_MS', 'CLAUDE_CODE_MAX_*'],
	},
	{ why: 'as root Claude bypasses permissions only where it is told that it is contained', names: ['IS_SANDBOX'] },
];

/** What no configuration may bring back: Roost's own, and what makes Claude think that another Claude started it. */
const WITHHELD = [
	'ROOST_*',
	'CLAUDECODE',
	'CLAUDE_PID',
	'CLAUDE_PROJECT_DIR',
	'CLAUDE_CODE_ENTRYPOINT',
	'CLAUDE_CODE_SESSION_*',
	'CLAUDE_CODE_MESSAGING_*',
	'CLAUDE_CODE_SSE_PORT',
];

export type AgentEnvironmentRequest = {
	processEnv: Readonly<Record<string, string | undefined>>;
	/** From config.yaml, `agents.claude.env`; it wins over what is inherited. */
	configured: Readonly<Record<string, string>>;
	/** Roost's id of the session, where it is known already. */
	session?: string;
};

export function toAgentEnvironment({ processEnv, configured, session }: AgentEnvironmentRequest): Record<string, string> {
	const inherited = Object.entries(processEnv).flatMap(([name, value]) =>
		value !== undefined && INHERITED.some(({ names }) => isAmong(names, name)) ? [[name, value] as const] : [],
	);
	const wanted = [...inherited, ...Object.entries(configured)].filter(([name]) => !isAmong(WITHHELD, name));
	// Commands that decide look for this mark: an agent must not decide for its user.
	return { ...Object.fromEntries(wanted), ROOST_SESSION: session || 'driven' };
}

function isAmong(names: readonly string[], name: string): boolean {
	return names.some((each) => (each.endsWith('*') ? name.startsWith(each.slice(0, -1)) : name === each));
}
