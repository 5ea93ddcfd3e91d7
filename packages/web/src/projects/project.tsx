// One project with its sessions: those on record, and past ones from the agents' own transcripts, which can be resumed.
import { short } from '@roost/core/display/amounts';
import { plural } from '@roost/core/display/plural';
import { sanitiseLine } from '@roost/core/display/sanitise';
import { allTokens } from '@roost/core/views/usage-report-words';
import { stateWords } from '@roost/core/views/words';
import type { FoundProject, FoundProjectId, PastSession } from '@roost/protocol/api/projects';
import { Link, useParams } from 'wouter';
import { useConnected } from '../data/use-connected.ts';
import { useRead } from '../data/use-read.ts';
import { useWorld } from '../data/use-world.ts';
import { Badge } from '../parts/badge.tsx';
import { Empty, Page, Part } from '../parts/page.tsx';
import { NotRead } from '../parts/reading.tsx';
import { Row, Rows } from '../parts/rows.tsx';
import { StatusSign } from '../parts/status-sign.tsx';
import { When } from '../parts/when.tsx';
import { ResumeButton } from './resume-button.tsx';
import { useProjects } from './use-projects.ts';

export function Project() {
	const { id } = useParams();
	const list = useProjects();
	const project = list.value?.projects.find((one) => one.id === id);
	if (project !== undefined) return <Known project={project} />;
	const isFound = list.value !== undefined && list.value.scanning === null;
	return (
		<Page title="Project">
			{isFound ? (
				<Empty>
					<p>This project is not on this machine.</p>
					<Link href="/projects">All projects</Link>
				</Empty>
			) : (
				<NotRead {...list} />
			)}
		</Page>
	);
}

function Known({ project }: { project: FoundProject }) {
	const { id, name, path, gitRemote, gitBranch, projectId } = project;
	const about = [path, gitBranch, gitRemote].filter((fact) => fact !== undefined).join(' · ');
	return (
		<Page title={sanitiseLine(name)} actions={<Link href="/projects">All projects</Link>}>
			<p>{sanitiseLine(about)}</p>
			<OnRecord projectId={projectId} />
			<Past id={id} project={project} />
		</Page>
	);
}

function OnRecord({ projectId }: Pick<FoundProject, 'projectId'>) {
	const sessions = useWorld().sessions.filter((row) => row.projectId === projectId);
	return (
		<Part title="On record">
			{sessions.length === 0 ? (
				<Empty>No session of this project is on record.</Empty>
			) : (
				<Rows label="Sessions on record">
					{sessions.map((row) => (
						<Row
							key={row.id}
							title={
								<Link href={`/s/${row.id}`} data-row={row.id}>
									<StatusSign row={row} /> {sanitiseLine(row.title || row.id)}
								</Link>
							}
							about={
								<>
									{sanitiseLine(`${row.agent} · ${stateWords(row)}`)} · <When at={row.lastEventAt} />
								</>
							}
						/>
					))}
				</Rows>
			)}
		</Part>
	);
}

function Past({ id, project }: { id: FoundProjectId; project: FoundProject }) {
	const { api } = useConnected();
	const past = useRead(`past ${id}`, () => api.projects.sessions({ id }));
	if (past.value === undefined) return <NotRead {...past} />;
	const { sessions, problems } = past.value;
	return (
		<Part
			title="Past sessions"
			note="From the transcripts of agents. Reading one records nothing; resuming it puts it on record."
		>
			{sessions.length === 0 ? <Empty>No past session.</Empty> : null}
			{sessions.length === 0 ? null : (
				<Rows label="Past sessions">
					{sessions.map((session) => (
						<PastRow key={session.nativeId} session={session} project={project} />
					))}
				</Rows>
			)}
			{problems.map(({ path, message }) => (
				<p key={path}>{sanitiseLine(`${path}: ${message}`)}</p>
			))}
		</Part>
	);
}

function PastRow({ session, project }: { session: PastSession; project: FoundProject }) {
	const { nativeId, title, agent, messages, tokens, lastActivity, resumable } = session;
	const known = useWorld().sessions.find(({ nativeIds }) => nativeIds.some((native) => native.id === nativeId));
	return (
		<Row
			title={
				<Link href={`/projects/${project.id}/${nativeId}`} data-row={nativeId}>
					{sanitiseLine(title || nativeId)}
				</Link>
			}
			about={
				<>
					{sanitiseLine(`${agent} · ${plural(messages, 'message')} · ${short(allTokens(tokens))} tokens`)} ·{' '}
					<When at={lastActivity} />
				</>
			}
			end={
				known !== undefined ? (
					<Badge>on record</Badge>
				) : resumable ? (
					<ResumeButton session={session} projectId={project.projectId} />
				) : undefined
			}
		/>
	);
}
