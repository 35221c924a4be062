import type { CallAnswer, Credential, Params } from '../../../shared/model.ts';
import { api } from '../../client/use-client.ts';

export interface OperationCall {
  readonly deviceId: string;
  readonly operation: string;
  readonly params: Params;
  readonly body?: unknown;
  readonly allowPlainFields?: boolean;
}
export interface FreeRequest {
  readonly deviceId: string;
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: string;
}

export function callOperation({ params, ...call }: OperationCall, signal: AbortSignal): Promise<CallAnswer> {
  return api().operations.call({ ...call, params: { ...params }, trace: true }, { signal });
}
export function sendRequest(request: FreeRequest, signal: AbortSignal): Promise<CallAnswer> {
  return api().operations.request({ ...request, trace: true }, { signal });
}
/** User names for the copied command line; passwords never come here. */
export function listCredentials(): Promise<readonly Credential[]> {
  return api().credentials.list();
}
