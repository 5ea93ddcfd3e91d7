// MCP servers of an agent, over the wire: listed, shown, added, removed, logged in to. Their secrets are never sent back.
import { z } from 'zod';
import { configScope, isOperand, isPlainText, projectFolder } from './agent-commands.ts';
import { commandId } from './driving.ts';

const newServerName = z
	.string()
	.max(64)
	.regex(/^[A-Za-z0-9_][\w-]*$/, 'expected the name of a server: letters, digits, dashes and underscores, no dash first');

/** An existing server may have a name that Roost would not accept for a new one, such as `plugin:db:main`. */
export const serverName = z.string().max(256).refine(isOperand, 'expected the name of a server; it cannot begin with a dash');

const longText = (most: number) => z.string().max(most).refine(hasNoNul, 'expected text without a NUL');
const environment = z.record(z.string().regex(/^[A-Za-z_]\w{0,127}$/), longText(16_384), {
	error: 'expected names of variables, of letters, digits and underscores, each with its value',
});
const headers = z.record(
	z.string().regex(/^[A-Za-z0-9][\w!#$%&'*+.^`|~-]{0,127}$/),
	z.string().max(16_384).refine(isPlainText, 'expected the value of a header, on one line'),
	{ error: 'expected names of headers, each with its value' },
);
const serverUrl = z
	.url({ protocol: /^https?$/, error: 'expected an address such as https://mcp.example.com/mcp' })
	.max(4_096)
	.refine(isPlainText, 'expected an address such as https://mcp.example.com/mcp');

const common = { commandId, project: projectFolder, name: newServerName, scope: configScope.optional() };
const remote = { ...common, url: serverUrl, headers: headers.optional() };

/** `POST /mcp` */
export const addServerBody = z.discriminatedUnion('transport', [
	z.strictObject({
		...common,
		transport: z.literal('stdio'),
		command: z.string().max(4_096).refine(isOperand, 'expected the program that the server is; it cannot begin with a dash'),
		args: z.array(longText(16_384)).max(256).optional(),
		env: environment.optional(),
	}),
	z.strictObject({ ...remote, transport: z.literal('http') }),
	z.strictObject({ ...remote, transport: z.literal('sse') }),
	/** In the form of the agent's own configuration, for settings that the others do not have. */
	z.strictObject({ ...common, transport: z.literal('json'), config: z.record(z.string(), z.unknown()) }),
]);
type WithoutId<Body> = Body extends unknown ? Omit<Body, 'commandId'> : never;
export type AddServer = WithoutId<z.infer<typeof addServerBody>>;

/** `POST /mcp/:name/remove` */
export const removeServerBody = z.strictObject({ commandId, project: projectFolder, scope: configScope.optional() });
export type RemoveServer = Omit<z.infer<typeof removeServerBody>, 'commandId'> & { name: string };

/** `POST /mcp/:name/auth` */
export const authServerBody = z.strictObject({ commandId, project: projectFolder });

export const serverStatus = z.enum(['connected', 'failed', 'needs_login', 'needs_approval', 'unknown']);
export type ServerStatus = z.infer<typeof serverStatus>;

export const mcpServer = z.object({
	name: z.string(),
	transport: z.enum(['stdio', 'http', 'sse', 'unknown']),
	/** The command line or the address. */
	target: z.string(),
	status: serverStatus,
	/** The status in the agent's words, with its reason. */
	says: z.string(),
});
export type McpServer = z.infer<typeof mcpServer>;

/** `GET /mcp` */
export const mcpServerList = z.object({
	servers: z.array(mcpServer),
	/** Output of the agent that Roost does not understand. */
	unread: z.string(),
});
export type McpServerList = z.infer<typeof mcpServerList>;

/** `GET /mcp/:name` */
export const mcpServerDetail = mcpServer.extend({
	scope: z.string().optional(),
	/** Names only: their values are secrets. */
	env: z.array(z.string()),
	headers: z.array(z.string()),
	unread: z.string(),
});
export type McpServerDetail = z.infer<typeof mcpServerDetail>;

function hasNoNul(text: string): boolean {
	return !text.includes('\0') && text.isWellFormed();
}
