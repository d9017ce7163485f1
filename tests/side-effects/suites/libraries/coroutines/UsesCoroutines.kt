import kotlinx.coroutines.*
import kotlinx.coroutines.channels.*
import kotlinx.coroutines.flow.*
import kotlinx.coroutines.sync.*
import java.util.concurrent.atomic.AtomicLong

// Coroutines on several dispatchers, with channels, flows, locks and exceptions through all of it.
sealed interface Shape {
    data class Circle(val radius: Double, val filled: Boolean) : Shape
    data class Letter(val letter: Char, val size: Short = 3) : Shape
    object Nothing : Shape
}

@JvmInline
value class Wrapped(val value: Byte)

fun area(shape: Shape): Double = when (shape) {
    is Shape.Circle -> if (shape.filled) shape.radius * 3 else 0.0
    is Shape.Letter -> shape.letter.code * shape.size.toDouble()
    Shape.Nothing -> -1.0
}

suspend fun deep(depth: Int, flag: Boolean, letter: Char): Long {
    if (depth == 0) {
        yield()
        if (letter == 'q') throw IllegalStateException("letter $letter $flag")
        return if (flag) letter.code.toLong() else 1L
    }
    return try {
        deep(depth - 1, !flag, letter) + depth
    } finally {
        delay(if (depth % 4 == 0) 1 else 0)
    }
}

fun main() = runBlocking(Dispatchers.Default) {
    val sum = AtomicLong()
    val lock = Mutex()
    var guarded = 0
    val jobs = List(1000) { number ->
        launch(if (number % 2 == 0) Dispatchers.IO else Dispatchers.Default) {
            val letter = 'a' + number % 26
            try {
                sum.addAndGet(deep(number % 9, number % 2 == 0, letter))
            } catch (e: IllegalStateException) {
                sum.addAndGet(e.message!!.length.toLong())
            }
            lock.withLock { guarded++ }
        }
    }
    jobs.joinAll()
    println("${sum.get()} $guarded")
    val channel = Channel<Shape>(8)
    launch {
        for (i in 0 until 2000) channel.send(when (i % 3) {
            0 -> Shape.Circle(i / 3.0, i % 2 == 0)
            1 -> Shape.Letter('a' + i % 26)
            else -> Shape.Nothing
        })
        channel.close()
    }
    println(channel.consumeAsFlow().map { area(it) }.buffer(16).fold(0.0) { total, next -> total + next })
    val flow = flow { for (i in 0 until 500) { emit(i); if (i % 50 == 0) delay(1) } }
    println(flow.filter { it % 3 == 0 }.map { Wrapped(it.toByte()) }.map { it.value + 1 }.toList().sum())
    println(withTimeoutOrNull(5) { delay(10_000); "late" })
    val results = supervisorScope {
        (0 until 50).map { i -> async { if (i % 7 == 3) error("no $i") else i * i } }
            .map { later -> runCatching { later.await() }.getOrElse { e -> -e.message!!.length } }
    }
    println(results)
    println("coroutines ${Shape.Letter('z')} ${Wrapped(3)} ${generateSequence(1L) { it * 3 }.take(30).sum()}")
}
