// Case classes, lazy values, pattern matching, collections and contexts.
import scala.collection.immutable.{TreeMap, Vector}
import scala.collection.mutable
import scala.concurrent.{Await, ExecutionContext, Future}
import scala.concurrent.duration.*
import scala.util.{Failure, Success, Try}

enum Shape:
  case Circle(radius: Double, filled: Boolean)
  case Letter(letter: Char, size: Short)
  case Empty

trait Monoid[A]:
  def zero: A
  extension (a: A) def combine(b: A): A

given Monoid[Int] with
  def zero = 0
  extension (a: Int) def combine(b: Int) = a * 31 + b

given Monoid[Boolean] with
  def zero = false
  extension (a: Boolean) def combine(b: Boolean) = a ^ b

given Monoid[Char] with
  def zero = 'a'
  extension (a: Char) def combine(b: Char) = ((a + b) % 26 + 'a').toChar

def all[A](values: Seq[A])(using m: Monoid[A]): A = values.foldLeft(m.zero)((a, b) => a.combine(b))

final class Late(i: Int):
  lazy val flag: Boolean = i % 2 == 0
  lazy val letter: Char = ('a' + i % 26).toChar
  @volatile var calls: Byte = 0

class Wrapper(val value: Short) extends AnyVal:
  def twice: Int = value * 2

class Specialised[@specialized A](val held: A):
  def get: A = held

object UsesScala:
  def area(shape: Shape): Double = shape match
    case Shape.Circle(radius, true) => radius * 3
    case Shape.Circle(_, _) => 0
    case Shape.Letter(letter, size) if letter > 'm' => letter * size
    case Shape.Letter(letter, _) => letter.toDouble
    case Shape.Empty => -1

  def main(args: Array[String]): Unit =
    val shapes = Vector.tabulate(3000)(i => i % 3 match
      case 0 => Shape.Circle(i / 3.0, i % 2 == 0)
      case 1 => Shape.Letter(('a' + i % 26).toChar, i.toShort)
      case _ => Shape.Empty)
    println(shapes.map(area).sum)
    println(shapes.groupBy(_.ordinal).view.mapValues(_.size).to(TreeMap))
    println(all((1 to 2000).toList) + " " + all(List.tabulate(2001)(_ % 3 == 0)) + all("some text".toList))
    val late = Array.tabulate(500)(new Late(_))
    println(late.count(_.flag) + late.map(_.letter).distinct.mkString)
    println((0 until 300).map(i => new Wrapper(i.toShort)).map(_.twice).sum + new Specialised(true).get.toString + new Specialised('s').get)
    given ExecutionContext = ExecutionContext.global
    val futures = Future.sequence((0 until 100).toList.map(i => Future(if i % 9 == 4 then sys.error(s"no $i") else i * i).recover { case e => -e.getMessage.length }))
    println(Await.result(futures, 60.seconds).sum)
    println(LazyList.iterate(1L)(_ * 3).takeWhile(_ < 1000000L).toList)
    val buffer = mutable.LinkedHashMap.empty[String, Any]
    for i <- 0 until 200; c <- "xyz" if i % 2 == 0 do buffer(s"$c${i % 10}") = if i % 4 == 0 then c else i.toByte
    println(buffer)
    val tried = (0 until 40).map(i => Try(100 / (i % 5)) match
      case Success(v) => v
      case Failure(e) => e.getMessage.length)
    println(tried.sum)
    println("scala " + BigInt(2).pow(200) % 1000007)
