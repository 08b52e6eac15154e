//! Ranks that are connected by TCP, one connection for each pair of ranks.
//!
//! A message is the size of a frame, the frame, and the bytes of the values that are not in it. One
//! thread of a connection writes frames, so that a program does not wait for a slow receiver;
//! another one reads frames, so that a sender never waits for the program. A connection that ends
//! makes its rank a lost one: programs that wait for it fail, others continue.
//!
//! Ranks find each other by a [`Store`], in which each publishes its address and a secret, which
//! the others present. Nothing is encrypted.

use std::convert::Infallible;
use std::io::{self, BufReader, Read, Write};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::fault::Cause;
use super::frame::Frame;
use super::state::{Outgoing, allocate, fill, is_inline};
use super::{Limits, Shared, State};

/// The beginning of a connection: the name and version of the protocol.
const MAGIC: &[u8; 8] = b"HALOTCP1";
/// The time in which a connection has to present its secret.
const GREETING: Duration = Duration::from_secs(2);
/// The largest frame, which has no values larger than an inline one.
const MAX_FRAME: usize = 1 << 30;

/// Texts that the ranks of a job publish for each other.
pub trait Store {
    /// # Errors
    /// Returns an error message if the store cannot be reached, or has the key.
    fn put(&self, key: &str, value: &str) -> Result<(), String>;

    /// Waits until another rank has published a value.
    ///
    /// # Errors
    /// Returns an error message if that takes longer than the timeout.
    fn get(&self, key: &str, timeout: Duration) -> Result<String, String>;
}

/// The rank of this operating-system process in a job.
pub struct Place<'a> {
    pub rank: usize,
    pub size: usize,
    /// The address at which others reach this rank.
    pub host: IpAddr,
    /// The time limit for the start of all ranks.
    pub timeout: Duration,
    /// A text for the other ranks.
    pub data: &'a str,
}

/// The threads of the connections of a rank.
pub struct Connections {
    pub shared: Arc<Shared>,
    /// The texts of all ranks.
    pub data: Vec<String>,
    writers: Vec<JoinHandle<()>>,
}

impl Connections {
    /// Connects a rank with all others.
    ///
    /// # Errors
    /// Returns an error message that names the rank that cannot be reached in time.
    pub fn start(place: &Place<'_>, store: &dyn Store) -> Result<Self, String> {
        let deadline = Instant::now() + place.timeout;
        let listener = TcpListener::bind((place.host, 0));
        let listener =
            listener.map_err(|error| format!("cannot listen at {}: {error}", place.host))?;
        let address = listener.local_addr().map_err(|error| error.to_string())?;
        let secret = secret().map_err(|error| format!("no random number: {error}"))?;
        let key = |rank: usize| format!("halo/rank/{rank}");
        store.put(
            &key(place.rank),
            &format!("{address} {secret} {}", place.data),
        )?;
        let mut data = Vec::new();
        let mut streams: Vec<Option<TcpStream>> = (0..place.size).map(|_| None).collect();
        for (rank, stream) in streams.iter_mut().enumerate() {
            let left = deadline.saturating_duration_since(Instant::now());
            let record = store.get(&key(rank), left);
            let record = record.map_err(|error| format!("rank {rank} has not started: {error}"))?;
            let mut fields = record.splitn(3, ' ');
            let mut field = || fields.next().ok_or("a rank has published an invalid record");
            let (address, other, own) = (field()?, field()?, field()?);
            data.push(own.to_owned());
            if rank < place.rank {
                let connected = connect(address, other, place.rank, left);
                *stream = Some(connected.map_err(|error| {
                    format!("rank {rank} cannot be reached at {address}: {error}")
                })?);
            }
        }
        accept(&listener, &secret, place.rank, deadline, &mut streams)?;
        let limits = Limits {
            silence: Duration::MAX,
            wait: None,
        };
        let shared = Arc::new(Shared::new(State::new(place.rank, place.size), limits));
        let (mut links, mut writers) = (Vec::new(), Vec::new());
        for (rank, stream) in streams.into_iter().enumerate() {
            let Some(stream) = stream else {
                links.push(None);
                continue;
            };
            let started = carry(&shared, rank, stream);
            let (link, writer) = started.map_err(|error| format!("rank {rank}: {error}"))?;
            links.push(Some(link));
            writers.push(writer);
        }
        shared.state().links = links;
        Ok(Self {
            shared,
            data,
            writers,
        })
    }
}

/// Sends the frames that are queued.
impl Drop for Connections {
    fn drop(&mut self) {
        self.shared.state().links.clear();
        for writer in self.writers.drain(..) {
            // The thread reports its errors.
            let _ = writer.join();
        }
    }
}

/// A number that strangers cannot guess.
fn secret() -> io::Result<String> {
    let mut bytes = [0; 16];
    std::fs::File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(format!("{:032x}", u128::from_le_bytes(bytes)))
}

fn connect(
    address: &str,
    secret: &str,
    rank: usize,
    timeout: Duration,
) -> Result<TcpStream, String> {
    let address: SocketAddr = address.parse().map_err(|error| format!("{error}"))?;
    let greet = || -> io::Result<TcpStream> {
        let mut stream = TcpStream::connect_timeout(&address, timeout)?;
        stream.write_all(&[MAGIC, secret.as_bytes(), &(rank as u64).to_le_bytes()].concat())?;
        Ok(stream)
    };
    greet().map_err(|error| error.to_string())
}

/// Accepts the connections of all higher ranks, and drops the connections of strangers.
fn accept(
    listener: &TcpListener,
    secret: &str,
    own: usize,
    deadline: Instant,
    streams: &mut [Option<TcpStream>],
) -> Result<(), String> {
    listener.set_nonblocking(true).map_err(|error| error.to_string())?;
    while let Some(missing) = (own + 1..streams.len()).find(|rank| streams[*rank].is_none()) {
        if Instant::now() > deadline {
            return Err(format!("rank {missing} has not connected"));
        }
        match listener.accept() {
            Ok((stream, _)) => {
                if let Ok(rank) = greeted(&stream, secret)
                    && rank > own
                    && let Some(place @ None) = streams.get_mut(rank)
                {
                    *place = Some(stream);
                }
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                thread::sleep(Duration::from_millis(2));
            }
            Err(error) => return Err(error.to_string()),
        }
    }
    Ok(())
}

/// The rank of a connection that presents the secret.
fn greeted(mut stream: &TcpStream, secret: &str) -> io::Result<usize> {
    stream.set_nonblocking(false)?;
    stream.set_read_timeout(Some(GREETING))?;
    let mut greeting = [0; MAGIC.len() + 32];
    stream.read_exact(&mut greeting)?;
    let mut rank = [0; 8];
    stream.read_exact(&mut rank)?;
    stream.set_read_timeout(None)?;
    // By hashes, whose comparison takes as long for each wrong secret.
    let expected = blake3::hash(&[MAGIC, secret.as_bytes()].concat());
    if blake3::hash(&greeting) == expected {
        Ok(u64::from_le_bytes(rank) as usize)
    } else {
        Err(io::ErrorKind::PermissionDenied.into())
    }
}

type Link = (Sender<Outgoing>, JoinHandle<()>);

/// Starts the threads of a connection with a rank.
fn carry(shared: &Arc<Shared>, rank: usize, stream: TcpStream) -> io::Result<Link> {
    stream.set_nodelay(true)?;
    let (incoming, frames) = (stream.try_clone()?, channel());
    let thread = |name: &str| thread::Builder::new().name(format!("halo-{name}-{rank}"));
    let state = Arc::clone(shared);
    thread("from").spawn(move || {
        let Err(error) = read(&state, rank, &incoming);
        state.lose(rank, cause(error));
    })?;
    let state = Arc::clone(shared);
    let writer = thread("to").spawn(move || {
        if let Err(error) = write(&stream, &frames.1) {
            state.lose(rank, cause(error));
        }
        let _ = stream.shutdown(std::net::Shutdown::Write);
    })?;
    Ok((frames.0, writer))
}

/// A process that has ended closes its connections, or resets them.
fn cause(error: io::Error) -> Cause {
    match error.kind() {
        io::ErrorKind::UnexpectedEof
        | io::ErrorKind::ConnectionReset
        | io::ErrorKind::BrokenPipe => Cause::Died,
        _ => Cause::Unreachable(error.to_string()),
    }
}

fn invalid(message: impl ToString) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message.to_string())
}

/// Writes frames until there are no more.
fn write(mut stream: &TcpStream, frames: &Receiver<Outgoing>) -> io::Result<()> {
    for one in frames {
        let frame = postcard::to_stdvec(&one.frame).map_err(invalid)?;
        let size = (frame.len() as u64).to_le_bytes();
        stream.write_all(&[&size[..], &frame].concat())?;
        for piece in one.payload {
            stream.write_all(&piece.literal.bytes()[piece.range])?;
        }
    }
    Ok(())
}

/// Reads frames until the connection ends.
fn read(shared: &Shared, from: usize, stream: &TcpStream) -> io::Result<Infallible> {
    let mut stream = BufReader::new(stream);
    loop {
        let mut size = [0; 8];
        stream.read_exact(&mut size)?;
        let size = u64::from_le_bytes(size) as usize;
        if size > MAX_FRAME {
            return Err(invalid(format!("a frame of {size} bytes")));
        }
        let mut bytes = vec![0; size];
        stream.read_exact(&mut bytes)?;
        match postcard::from_bytes(&bytes).map_err(invalid)? {
            Frame::Values {
                address,
                program,
                shapes,
                bytes,
                counted,
            } => {
                let mut values = allocate(&shapes).map_err(invalid)?;
                fill(&mut values, &bytes).map_err(invalid)?;
                for value in &mut values {
                    if !is_inline(value.bytes().len()) {
                        stream.read_exact(value.bytes_mut())?;
                    }
                }
                let values = values.into_iter().map(Arc::new).collect();
                shared.state().arrive(from, address, program, values, counted);
            }
            frame => shared.state().deliver(from, frame),
        }
        shared.changed.notify_all();
    }
}

impl Shared {
    /// Ends the waits for a rank that cannot be reached.
    pub fn lose(&self, rank: usize, cause: Cause) {
        self.state().lost.entry(rank).or_insert(cause);
        self.changed.notify_all();
    }
}
