// The projects that were found on this machine; each has its sessions on a page of its own.
import { plural } from '@roost/core/display/plural';
import { sanitiseLine } from '@roost/core/display/sanitise';
import type { FoundProject, ProjectList } from '@roost/protocol/api/projects';
import { Link } from 'wouter';
import { Button } from '../parts/button.tsx';
import { Empty, Page, Part } from '../parts/page.tsx';
import { NotRead } from '../parts/reading.tsx';
import { Row, Rows } from '../parts/rows.tsx';
import { When } from '../parts/when.tsx';
import styles from './projects.module.css';
import { useProjects } from './use-projects.ts';

export function Projects() {
	const list = useProjects();
	const isScanning = list.value?.scanning != null;
	return (
		<Page
			title="Projects"
			actions={
				<Button onClick={list.scan} disabled={isScanning}>
					{isScanning ? 'Scanning…' : 'Scan again'}
				</Button>
			}
		>
			{list.value === undefined ? <NotRead {...list} /> : <Found list={list.value} />}
		</Page>
	);
}

function Found({ list: { projects, problems, scannedAt, scanning } }: { list: ProjectList }) {
	return (
		<>
			<p className={styles.scanned} role="status">
				{scanning ? <Progress {...scanning} /> : null}
				{scanning === null && scannedAt !== null ? (
					<>
						Scanned <When at={scannedAt} />
					</>
				) : null}
			</p>
			{projects.length === 0 && scanning === null ? <NoProjects /> : null}
			{projects.length === 0 ? null : (
				<Rows label="Projects">
					{projects.map((project) => (
						<ProjectRow key={project.id} project={project} />
					))}
				</Rows>
			)}
			{problems.length === 0 ? null : (
				<Part title="Not read">
					<Rows label="Folders that were not read">
						{problems.map(({ path, message }) => (
							<Row key={path} title={sanitiseLine(path)} about={sanitiseLine(message)} />
						))}
					</Rows>
				</Part>
			)}
		</>
	);
}

function Progress({ done, total }: { done: number; total: number }) {
	return (
		<>
			<progress aria-label="Scan" max={total || 1} value={done} />{' '}
			{total === 0 ? 'Scanning…' : `Scanned ${done} of ${total} folders`}
		</>
	);
}

function NoProjects() {
	return (
		<Empty>No project found. Add the folders that contain your projects to projects.roots in config.yaml, then scan again.</Empty>
	);
}

function ProjectRow({ project }: { project: FoundProject }) {
	const { id, name, path, gitBranch, isDirty, pastSessions, lastActivity } = project;
	const facts = [
		path,
		gitBranch,
		isDirty ? 'uncommitted changes' : undefined,
		pastSessions > 0 ? plural(pastSessions, 'past session') : undefined,
	];
	return (
		<Row
			title={
				<Link href={`/projects/${id}`} data-row={id}>
					{sanitiseLine(name)}
				</Link>
			}
			about={
				<>
					{sanitiseLine(facts.filter((fact) => fact !== undefined).join(' · '))} · active <When at={lastActivity} />
				</>
			}
		/>
	);
}
