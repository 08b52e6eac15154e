//! The processes of a job that share their devices.
//!
//! A framework starts the client of each process with its index, their number, and callbacks to a
//! key-value store, in which the processes publish their addresses and their numbers of devices.
//! Devices are numbered process by process. Programs on devices of several processes communicate by
//! the [`Job`]; all other programs run as in a single process.

use std::collections::HashMap;
use std::ffi::c_char;
use std::net::{IpAddr, Ipv4Addr, ToSocketAddrs, UdpSocket};
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use halo::distributed::job::{Job, Place, Store};
use halo_runtime::Process;

use crate::c_api::{self, ErrorCode};
use crate::compile_options::Assignment;
use crate::handle;
use crate::named_value::Value;
use crate::status::{Error, Result, Status};

/// The options with the index of the process, and the number of processes.
const INDEX_OPTION: &str = "node_id";
const COUNT_OPTION: &str = "num_nodes";
/// The option with an address that the processes of the job can reach.
const COORDINATOR_OPTION: &str = "coordinator_address";

/// The environment variable with the address at which the other processes reach this one.
const HOST_VARIABLE: &str = "HALO_HOST";

/// The time limit for the start of all processes: the default of `jax.distributed.initialize`.
const START: Duration = Duration::from_secs(300);

/// The processes of a job, and the devices of each.
pub struct Processes {
    /// The index of this process.
    pub index: usize,
    /// The number of devices of each process.
    pub device_counts: Vec<usize>,
    /// The connections; `None` for a single process.
    job: Option<Job>,
    /// The number of runs on devices of several processes, by their numbers.
    runs: Mutex<HashMap<Vec<i64>, u64>>,
}

impl Processes {
    /// A single process.
    pub fn alone(device_count: usize) -> Self {
        Self {
            index: 0,
            device_counts: vec![device_count],
            job: None,
            runs: Mutex::default(),
        }
    }

    /// Connects this process with the others, if the options specify any.
    ///
    /// # Errors
    /// Returns an invalid-argument error for invalid options; an unavailable error that names a
    /// process that cannot be reached.
    pub fn start(
        options: &[(String, Value)],
        device_count: usize,
        store: Option<&KeyValueStore>,
    ) -> Result<Self> {
        let size = number(options, COUNT_OPTION)?.unwrap_or(1);
        let rank = number(options, INDEX_OPTION)?.unwrap_or(0);
        if rank >= size {
            let message = format!("process {rank} is not one of {size} processes");
            return Err(Status::invalid(message));
        }
        if size == 1 {
            return Ok(Self::alone(device_count));
        }
        let store = store.ok_or_else(|| {
            Status::invalid(format!(
                "{size} processes need the callbacks of a key-value store"
            ))
        })?;
        let place = Place {
            rank,
            size,
            host: host(options)?,
            timeout: START,
            data: &device_count.to_string(),
        };
        let job = Job::start(&place, store).map_err(|message| {
            let help = format!("{HOST_VARIABLE} sets the address at which others reach a process");
            Status::new(ErrorCode::UNAVAILABLE, format!("{message} ({help})"))
        })?;
        let counts = job.data().iter().map(|count| count.parse().ok());
        let counts: Option<Vec<usize>> = counts.collect();
        Ok(Self {
            index: rank,
            device_counts: counts.ok_or_else(|| Status::internal("a count is not a number"))?,
            job: Some(job),
            runs: Mutex::default(),
        })
    }

    /// The number of devices of all processes.
    pub fn device_count(&self) -> usize {
        self.device_counts.iter().sum()
    }

    /// The devices of this process.
    pub fn own_devices(&self) -> Range<usize> {
        let first = self.device_counts[..self.index].iter().sum();
        first..first + self.device_counts[self.index]
    }

    /// The process of a device.
    fn process_of(&self, device: usize) -> usize {
        let mut end = 0;
        let ends = self.device_counts.iter().map(|count| {
            end += count;
            end
        });
        ends.take_while(|end| *end <= device).count()
    }

    /// The processes of the grid of a run, at positions of the assignment that are devices of this
    /// process; none for a program of one process. All processes of the job start the runs on the
    /// same devices in the same order, of programs with the same identity.
    pub fn grid<'a>(
        &self,
        assignment: &Assignment,
        positions: &[usize],
        identity: impl FnOnce() -> &'a str,
    ) -> Vec<Arc<Process>> {
        let (replicas, partitions) = (assignment.replicas, assignment.partitions);
        if replicas * partitions == 1 {
            return Vec::new();
        }
        let Some(job) = self.job.as_ref().filter(|_| positions.len() < replicas * partitions)
        else {
            return Process::grid(replicas, partitions);
        };
        let number = {
            let mut runs = self.runs.lock().unwrap_or_else(PoisonError::into_inner);
            let number = runs.entry(assignment.devices.clone()).or_insert(0);
            *number += 1;
            *number
        };
        let devices = assignment.devices.iter();
        let key: Vec<u8> = devices.clone().flat_map(|device| device.to_le_bytes()).collect();
        let run = [
            &key[..],
            &(partitions as u64).to_le_bytes(),
            &number.to_le_bytes(),
        ];
        let ranks = devices.map(|device| self.process_of(*device as usize)).collect();
        let cluster = Arc::new(job.cluster(&run, identity(), ranks, partitions));
        positions.iter().map(|position| Process::of(&cluster, *position)).collect()
    }

    /// Ends the waits for a process that has failed.
    fn lose(&self, process: usize, reason: &str) {
        if let Some(job) = self.job.as_ref().filter(|_| process != self.index) {
            job.lose(process, reason);
        }
    }
}

fn number(options: &[(String, Value)], name: &str) -> Result<Option<usize>> {
    let Some((_, value)) = options.iter().rfind(|(own, _)| own == name) else {
        return Ok(None);
    };
    let number = match value {
        Value::Integer(number) => usize::try_from(*number).ok(),
        _ => None,
    };
    let invalid = || Status::invalid(format!("option '{name}' is not the number of a process"));
    number.map(Some).ok_or_else(invalid)
}

/// The address at which the others reach this process: the one of the environment, or else the one
/// from which this process reaches the coordinator.
fn host(options: &[(String, Value)]) -> Result<IpAddr> {
    if let Some(text) = std::env::var(HOST_VARIABLE).ok().filter(|text| !text.is_empty()) {
        let address = (text.as_str(), 0).to_socket_addrs().ok();
        let address = address.and_then(|mut addresses| addresses.next());
        let invalid = || Status::invalid(format!("{HOST_VARIABLE}: '{text}' is not a host"));
        return address.map(|address| address.ip()).ok_or_else(invalid);
    }
    let coordinator = options.iter().rfind(|(name, _)| name == COORDINATOR_OPTION);
    let Some((_, Value::Text(coordinator))) = coordinator else {
        return Ok(Ipv4Addr::LOCALHOST.into());
    };
    // No packet is sent.
    let local = || {
        let address = coordinator.to_socket_addrs()?.next();
        let address = address.ok_or(std::io::ErrorKind::NotFound)?;
        let any = if address.is_ipv4() {
            "0.0.0.0:0"
        } else {
            "[::]:0"
        };
        let socket = UdpSocket::bind(any)?;
        socket.connect(address)?;
        socket.local_addr()
    };
    let address = local().map_err(|error: std::io::Error| {
        let message = format!("the coordinator '{coordinator}' cannot be reached: {error}");
        Status::new(ErrorCode::UNAVAILABLE, message)
    })?;
    Ok(address.ip())
}

/// The key-value store of the framework.
pub struct KeyValueStore {
    get: c_api::KeyValueGetCallback,
    get_argument: *mut std::ffi::c_void,
    put: c_api::KeyValuePutCallback,
    put_argument: *mut std::ffi::c_void,
}

impl KeyValueStore {
    /// The callbacks of a caller, if there are any.
    ///
    /// # Safety
    /// The callbacks must satisfy the interface as long as the store is used.
    pub unsafe fn new(arguments: &c_api::ClientCreateArgs) -> Option<Self> {
        let is_complete =
            arguments.kv_get_callback.is_some() && arguments.kv_put_callback.is_some();
        is_complete.then_some(Self {
            get: arguments.kv_get_callback,
            get_argument: arguments.kv_get_user_arg,
            put: arguments.kv_put_callback,
            put_argument: arguments.kv_put_user_arg,
        })
    }
}

/// Makes the error of a callback.
unsafe extern "C" fn callback_error(
    code: ErrorCode,
    message: *const c_char,
    size: usize,
) -> *mut c_api::Error {
    // SAFETY: the callback passes a valid text.
    match unsafe { Status::outcome(code, message, size) } {
        Ok(()) => std::ptr::null_mut(),
        Err(status) => status.into_raw(),
    }
}

/// Takes the outcome of a callback.
///
/// # Safety
/// The error must be null, or from [`callback_error`].
unsafe fn outcome(error: *mut c_api::Error) -> Result<(), String> {
    // SAFETY: by the requirement above.
    let message = match unsafe { handle::borrow::<Error>(error) } {
        Ok(error) => error.status.to_string(),
        Err(_) => return Ok(()),
    };
    // SAFETY: as above.
    unsafe { handle::destroy::<Error>(error) };
    Err(message)
}

impl Store for KeyValueStore {
    fn put(&self, key: &str, value: &str) -> Result<(), String> {
        let mut error: c_api::CallbackError = Some(callback_error);
        let put = self.put.ok_or("no callback")?;
        let mut arguments = c_api::KeyValuePutCallbackArgs {
            struct_size: size_of::<c_api::KeyValuePutCallbackArgs>(),
            extension_start: std::ptr::null_mut(),
            key: key.as_ptr().cast(),
            key_size: key.len(),
            value: value.as_ptr().cast(),
            value_size: value.len(),
            callback_error: &mut error,
            user_arg: self.put_argument,
        };
        // SAFETY: the arguments satisfy the interface, as does the callback.
        unsafe { outcome(put(&mut arguments)) }
    }

    fn get(&self, key: &str, timeout: Duration) -> Result<String, String> {
        let mut error: c_api::CallbackError = Some(callback_error);
        let get = self.get.ok_or("no callback")?;
        let mut arguments = c_api::KeyValueGetCallbackArgs {
            struct_size: size_of::<c_api::KeyValueGetCallbackArgs>(),
            extension_start: std::ptr::null_mut(),
            key: key.as_ptr().cast(),
            key_size: key.len(),
            timeout_in_ms: i32::try_from(timeout.as_millis()).unwrap_or(i32::MAX),
            callback_error: &mut error,
            user_arg: self.get_argument,
            value: std::ptr::null_mut(),
            value_size: 0,
            value_deleter_callback: None,
        };
        // SAFETY: the arguments satisfy the interface, as does the callback, whose value is copied
        // before it is deleted.
        unsafe {
            outcome(get(&mut arguments))?;
            let text = handle::text(arguments.value, arguments.value_size).map(str::to_owned);
            if let Some(delete) = arguments.value_deleter_callback {
                delete(arguments.value);
            }
            text.map_err(|status| status.to_string())
        }
    }
}

/// Ends the waits for processes that the framework reports as failed.
pub unsafe fn update(
    processes: &Processes,
    arguments: &c_api::ClientUpdateGlobalProcessInfoArgs,
) -> Result<()> {
    // SAFETY: the caller passes valid information.
    let infos = unsafe { handle::slice(arguments.process_infos, arguments.num_process_infos) }?;
    for info in infos {
        let has_failed = [
            c_api::ProcessState::DISCONNECTED,
            c_api::ProcessState::ERROR,
        ]
        .contains(&info.state);
        if let Some(process) = usize::try_from(info.task_id).ok().filter(|_| has_failed) {
            // SAFETY: as above.
            let text = unsafe { handle::text(info.error_message, info.error_message_size) }?;
            processes.lose(
                process,
                if text.is_empty() {
                    "it has disconnected"
                } else {
                    text
                },
            );
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(values: &[(&str, Value)]) -> Vec<(String, Value)> {
        values.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect()
    }

    #[test]
    fn devices_are_numbered_process_by_process() {
        let processes = Processes {
            index: 1,
            device_counts: vec![2, 3, 1],
            job: None,
            runs: Mutex::default(),
        };
        assert_eq!(processes.own_devices(), 2..5);
        let of: Vec<usize> = (0..6).map(|device| processes.process_of(device)).collect();
        assert_eq!(of, [0, 0, 1, 1, 1, 2]);
    }

    #[test]
    fn options_name_the_process() {
        let start = |list: &[(&str, Value)]| {
            let started = Processes::start(&options(list), 2, None);
            started.map(|own| own.device_counts).map_err(|error| error.to_string())
        };
        assert_eq!(start(&[]), Ok(vec![2]));
        let one = [
            ("node_id", Value::Integer(0)),
            ("num_nodes", Value::Integer(1)),
        ];
        assert_eq!(start(&one), Ok(vec![2]));
        let wrong = [
            ("node_id", Value::Integer(2)),
            ("num_nodes", Value::Integer(2)),
        ];
        assert_eq!(
            start(&wrong).unwrap_err(),
            "process 2 is not one of 2 processes"
        );
        let message = start(&[("num_nodes", Value::Integer(2))]).unwrap_err();
        assert_eq!(
            message,
            "2 processes need the callbacks of a key-value store"
        );
        let message = start(&[("num_nodes", Value::Boolean(true))]).unwrap_err();
        assert_eq!(message, "option 'num_nodes' is not the number of a process");
    }

    #[test]
    fn a_coordinator_determines_the_address() {
        let coordinator = |text: &str| {
            let value = Value::Text(text.to_owned());
            host(&options(&[("coordinator_address", value)]))
        };
        assert_eq!(
            coordinator("127.0.0.1:1234"),
            Ok(Ipv4Addr::LOCALHOST.into())
        );
        assert!(coordinator("nowhere.invalid:1").is_err());
    }
}
