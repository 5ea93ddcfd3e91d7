// MCP servers that a project configures, over the wire: what each would run, and whether the user trusts exactly that.
import { z } from 'zod';

const texts = z.record(z.string(), z.string());

/** A program with its arguments, or an address. */
export const mcpServerConfig = z.union([
	z.object({
		type: z.literal('stdio').exactOptional(),
		command: z.string(),
		args: z.array(z.string()).exactOptional(),
		env: texts.exactOptional(),
	}),
	z.object({ type: z.enum(['http', 'sse']), url: z.string(), headers: texts.exactOptional() }),
]);
export type McpServerConfig = z.infer<typeof mcpServerConfig>;

const folder = z.string().min(1).max(4096);
const serverName = z.string().min(1).max(64);
/** Of the configuration: a changed server is another server. */
const hash = z.string().regex(/^[0-9a-f]{64}$/, 'expected a hash of 64 hex digits');

/** `GET /projects/mcp?project=…`: a folder of the project. */
export const projectMcpQuery = z.strictObject({ project: folder });

/** Values of variables and headers are hidden in `config`; the hash is of the whole. */
export const projectServer = z.object({ name: serverName, hash, trusted: z.boolean(), config: mcpServerConfig });
export type ProjectServer = z.infer<typeof projectServer>;

export const projectMcp = z.object({
	/** Its main worktree, which trust belongs to. */
	project: z.string(),
	servers: z.array(projectServer),
	/** One sentence for each entry that cannot be used. */
	broken: z.array(z.string()),
});
export type ProjectMcp = z.infer<typeof projectMcp>;

/** `POST /projects/mcp/trust`, with the hash that was shown. */
export const trustMcpBody = z.strictObject({ project: folder, name: serverName, hash });
export type TrustMcpBody = z.infer<typeof trustMcpBody>;

/** `POST /projects/mcp/untrust` */
export const untrustMcpBody = z.strictObject({ project: folder, name: serverName });
export type UntrustMcpBody = z.infer<typeof untrustMcpBody>;

export const mcpTrusted = z.object({ project: z.string(), name: z.string(), trusted: z.boolean() });
export type McpTrusted = z.infer<typeof mcpTrusted>;
