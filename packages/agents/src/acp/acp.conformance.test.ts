import { describeConformance } from '../conformance/conformance.contract.ts';
import { acpStage } from './acp.stage.contract.ts';

describeConformance(acpStage);
