//! Sets of methods that have names: what programs are asked for, and what they ask others for.

use std::ffi::CStr;

use classfile::Member;

use super::form::Form;

/// Methods that are split by one argument.
#[derive(Debug)]
pub struct Point {
    /// Whose they are.
    pub owner: Owner,
    /// Their names, and what their descriptors begin with.
    pub methods: &'static [(&'static str, &'static str)],
    /// The number of the argument; 0 is the receiver.
    pub argument: usize,
    /// What the text is made of.
    pub reading: Reading,
    /// What becomes of it.
    pub form: Form,
}

/// The classes that have the methods of a [`Point`].
#[derive(Debug, Clone, Copy)]
pub enum Owner {
    /// Each class that has a method of this descriptor.
    Any,
    /// The class of this internal name.
    Class(&'static str),
    /// Classes that name one of these interfaces, or declare several of these methods of it.
    Implements {
        /// Internal names.
        interfaces: &'static [&'static str],
        /// Names of methods.
        members: &'static [&'static str],
    },
}

/// What a text is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// The argument, if it is a string.
    Itself,
    /// The same; what the method returns keeps the text.
    KeptByResult,
    /// What the argument has kept: the text of the call that returned it.
    Kept,
    /// What it answers to these, with spaces in between. The agent calls them, unrecorded.
    Getters(&'static [Getter]),
    /// The same, if the internal name of its class begins with one text and has the other.
    GettersOf(&'static str, &'static str, &'static [Getter]),
}

/// A method without arguments that changes nothing, and further ones of its result.
pub type Getter = &'static [(&'static CStr, &'static CStr)];

impl Point {
    /// Whether a method has one of the names, and its descriptor.
    pub fn names(&self, method: &Member<'_>) -> bool {
        self.methods.iter().any(|(name, descriptor)| {
            method.name() == name.as_bytes()
                && method.descriptor().starts_with(descriptor.as_bytes())
        })
    }
}

const STRING: &CStr = c"()Ljava/lang/String;";

const CONNECTION: Owner = Owner::Implements {
    interfaces: &["java/sql/Connection"],
    members: &["createStatement", "getAutoCommit", "setAutoCommit", "getMetaData"],
};

const JDBC: &[Point] = &[
    Point {
        owner: CONNECTION,
        methods: &[
            ("prepareStatement", "(Ljava/lang/String;"),
            ("prepareCall", "(Ljava/lang/String;"),
        ],
        argument: 1,
        reading: Reading::KeptByResult,
        form: Form::Sql,
    },
    Point {
        owner: CONNECTION,
        methods: &[("nativeSQL", "(Ljava/lang/String;)")],
        argument: 1,
        reading: Reading::Itself,
        form: Form::Sql,
    },
    Point {
        owner: Owner::Implements {
            interfaces: &[
                "java/sql/Statement",
                "java/sql/PreparedStatement",
                "java/sql/CallableStatement",
            ],
            members: &["getResultSet", "getUpdateCount", "clearBatch", "setQueryTimeout"],
        },
        methods: &[
            ("execute", "(Ljava/lang/String;"),
            ("executeQuery", "(Ljava/lang/String;"),
            ("executeUpdate", "(Ljava/lang/String;"),
            ("executeLargeUpdate", "(Ljava/lang/String;"),
            ("addBatch", "(Ljava/lang/String;"),
        ],
        argument: 1,
        reading: Reading::Itself,
        form: Form::Sql,
    },
    Point {
        // Drivers declare some of these in the superclass that other statements have, too.
        owner: Owner::Implements {
            interfaces: &[
                "java/sql/Statement",
                "java/sql/PreparedStatement",
                "java/sql/CallableStatement",
            ],
            members: &[
                "getResultSet",
                "getUpdateCount",
                "clearBatch",
                "setQueryTimeout",
                "clearParameters",
                "setBigDecimal",
                "setTimestamp",
            ],
        },
        methods: &[
            ("execute", "()"),
            ("executeQuery", "()"),
            ("executeUpdate", "()"),
            ("executeLargeUpdate", "()"),
            ("addBatch", "()"),
            ("executeBatch", "()"),
            ("executeLargeBatch", "()"),
        ],
        argument: 0,
        reading: Reading::Kept,
        form: Form::Sql,
    },
];

const HTTP_SERVER: &[Point] = &[
    Point {
        // Behind the filters, in front of the handler.
        owner: Owner::Class("sun/net/httpserver/ServerImpl$Exchange$LinkHandler"),
        methods: &[("handle", "(Lcom/sun/net/httpserver/HttpExchange;)V")],
        argument: 1,
        reading: Reading::Getters(&[
            &[(c"getRequestMethod", STRING)],
            &[(c"getRequestURI", c"()Ljava/net/URI;"), (c"getRawPath", STRING)],
        ]),
        form: Form::Route,
    },
    Point {
        owner: Owner::Any,
        methods: &[
            ("service", "(Ljakarta/servlet/http/HttpServletRequest;"),
            ("service", "(Ljavax/servlet/http/HttpServletRequest;"),
        ],
        argument: 1,
        reading: Reading::Getters(&[&[(c"getMethod", STRING)], &[(c"getRequestURI", STRING)]]),
        form: Form::Route,
    },
    Point {
        // Says which method of which controller it is.
        owner: Owner::Class("org/springframework/web/method/support/InvocableHandlerMethod"),
        methods: &[(
            "invokeForRequest",
            "(Lorg/springframework/web/context/request/NativeWebRequest;",
        )],
        argument: 0,
        reading: Reading::Getters(&[&[(c"toString", STRING)]]),
        form: Form::Plain,
    },
    Point {
        // Other messages than requests have no path.
        owner: Owner::Class("io/netty/channel/SimpleChannelInboundHandler"),
        methods: &[(
            "channelRead",
            "(Lio/netty/channel/ChannelHandlerContext;Ljava/lang/Object;)V",
        )],
        argument: 2,
        reading: Reading::GettersOf(
            "io/netty/handler/codec/http/",
            "Request",
            &[
                &[
                    (c"method", c"()Lio/netty/handler/codec/http/HttpMethod;"),
                    (c"toString", STRING),
                ],
                &[(c"uri", STRING)],
            ],
        ),
        form: Form::Route,
    },
];

const HTTP_CLIENT: &[Point] = &[
    Point {
        owner: Owner::Class("jdk/internal/net/http/HttpClientImpl"),
        methods: &[
            ("send", "(Ljava/net/http/HttpRequest;"),
            (
                "sendAsync",
                "(Ljava/net/http/HttpRequest;Ljava/net/http/HttpResponse$BodyHandler;\
                 Ljava/net/http/HttpResponse$PushPromiseHandler;)",
            ),
        ],
        argument: 1,
        reading: Reading::Getters(&[
            &[(c"method", STRING)],
            &[(c"uri", c"()Ljava/net/URI;"), (c"toString", STRING)],
        ]),
        form: Form::Route,
    },
    Point {
        owner: Owner::Class("sun/net/www/protocol/http/HttpURLConnection"),
        // Once for each request that is sent, however often the answer is asked for.
        methods: &[("writeRequests", "()V")],
        argument: 0,
        reading: Reading::Getters(&[
            &[(c"getRequestMethod", STRING)],
            &[(c"getURL", c"()Ljava/net/URL;"), (c"toString", STRING)],
        ]),
        form: Form::Route,
    },
];

const TOPIC: Reading = Reading::Getters(&[&[(c"topic", STRING)]]);

const KAFKA: &[Point] = &[
    Point {
        owner: Owner::Any,
        methods: &[(
            "send",
            "(Lorg/apache/kafka/clients/producer/ProducerRecord;\
             Lorg/apache/kafka/clients/producer/Callback;)",
        )],
        argument: 1,
        reading: TOPIC,
        form: Form::Plain,
    },
    Point {
        owner: Owner::Any,
        methods: &[("onMessage", "(Lorg/apache/kafka/clients/consumer/ConsumerRecord;")],
        argument: 1,
        reading: TOPIC,
        form: Form::Plain,
    },
];

const ENTITY_MANAGER: Owner = Owner::Implements {
    interfaces: &[
        "jakarta/persistence/EntityManager",
        "javax/persistence/EntityManager",
        "org/hibernate/Session",
    ],
    members: &["createQuery", "createNativeQuery", "createNamedQuery", "getCriteriaBuilder"],
};

const JPA: &[Point] = &[
    Point {
        owner: ENTITY_MANAGER,
        methods: &[
            ("createQuery", "(Ljava/lang/String;"),
            ("createNativeQuery", "(Ljava/lang/String;"),
            ("createNamedQuery", "(Ljava/lang/String;"),
        ],
        argument: 1,
        reading: Reading::Itself,
        form: Form::Sql,
    },
    Point {
        owner: ENTITY_MANAGER,
        methods: &[("find", "(Ljava/lang/Class;Ljava/lang/Object;")],
        argument: 1,
        reading: Reading::Getters(&[&[(c"getName", STRING)]]),
        form: Form::Plain,
    },
];

const FILES: &[Point] = &[
    Point {
        owner: Owner::Class("java/io/FileInputStream"),
        methods: &[("open", "(Ljava/lang/String;")],
        argument: 1,
        reading: Reading::Itself,
        form: Form::File,
    },
    Point {
        owner: Owner::Class("java/io/FileOutputStream"),
        methods: &[("open", "(Ljava/lang/String;")],
        argument: 1,
        reading: Reading::Itself,
        form: Form::File,
    },
    Point {
        owner: Owner::Class("java/io/RandomAccessFile"),
        methods: &[("open", "(Ljava/lang/String;")],
        argument: 1,
        reading: Reading::Itself,
        form: Form::File,
    },
    Point {
        // Files.newByteChannel, newInputStream, readString and the like.
        owner: Owner::Class("sun/nio/fs/UnixChannelFactory"),
        methods: &[("newFileChannel", "(ILsun/nio/fs/UnixPath;")],
        argument: 2,
        reading: Reading::Getters(&[&[(c"toString", STRING)]]),
        form: Form::File,
    },
];

/// All of them, by name.
const ALL: [(&str, &[Point]); 6] = [
    ("jdbc", JDBC),
    ("http-server", HTTP_SERVER),
    ("http-client", HTTP_CLIENT),
    ("kafka", KAFKA),
    ("jpa", JPA),
    ("files", FILES),
];

/// The methods of a preset.
pub fn named(name: &str) -> Option<&'static [Point]> {
    ALL.iter().find(|(known, _)| *known == name).map(|&(_, points)| points)
}

/// The names of all, for a message.
pub fn names() -> String {
    ALL.map(|(name, _)| name).join(", ")
}
